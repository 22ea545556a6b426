import Ground
import Machine

/// Entries in one SQLite file per storage, which any number of stores and processes share (data
/// sources L21 to L26).
package final class StorageStore: ByteStore {
  private let queue: DatabaseQueue<StoreWork, StoredContent>
  private let table: StorageTable

  /// The store of a file whose name is a storage's. Throws `illegalArgument` for one that is no
  /// name of a file.
  package init(
    _ name: String, _ layout: StorageLayout, type: StoredType?, path: String?,
    busyTimeout: Duration, among workers: StoreWorkers = StoreWorkers()
  ) throws(DataSourceError) {
    let place = try Self.place(of: name, path: path)
    let table = StorageTable(space: StorageSpace(layout, type: type), type: type)
    self.table = table
    queue = DatabaseQueue(
      DatabaseFile(
        busyTimeout: busyTimeout, ending: workers.ending,
        prepare: StorageTable.prepare, place: place), among: workers, by: table.performer)
  }

  /// What a store of a layout can do.
  package static func abilities(_ layout: StorageLayout) -> StoreAbilities {
    let hasAll = StorageSpace(layout, type: nil).isOwn
    return hasAll ? [.lists, .ids, .all] : [.lists, .ids]
  }

  package func submit(
    _ work: StoreWork, _ canceller: (any Canceller)?,
    reply: @escaping @Sendable (Result<[StoredContent?], DataSourceError>) -> Void
  ) {
    queue.submit(work.kind(isRoot: table.space.isRoot), canceller, work, reply: reply)
  }

  package func readAtOnce(_ id: EntryID) -> StoredContent?? {
    queue.readAtOnce { [table] database throws(DataSourceError) in
      .some(try table.read(id, database))
    }
  }

  private static func place(
    of name: String, path: String?
  ) throws(DataSourceError) -> @Sendable () throws(DataSourceError) -> String {
    let isName =
      !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 200
      && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    if !isName {
      throw DataSourceError(
        .illegalArgument, "a storage is named as a file is, by 200 bytes at most")
    }
    if let path {
      if path.isEmpty || path.utf8.contains(0) {
        throw DataSourceError(.illegalArgument, "a path is neither empty nor holds NUL")
      }
      let isFolder = path.utf8.last == UInt8(ascii: "/") || PrivateFolder.exists(path)
      let file = isFolder ? "\(path)/\(name).sqlite".asFile : path.asFile
      return { () throws(DataSourceError) in file }
    }
    return { () throws(DataSourceError) in
      do throws(SystemError) {
        return try PrivateFolder.dataHome() + "/gatheredkit/" + name + ".sqlite"
      } catch {
        throw DataSourceError(.failed, "there is no place for a user's data", errno: error.code)
      }
    }
  }
}

extension String {
  /// The path, spelled so that SQLite sees nothing but a path in it.
  package var asFile: String { utf8.first == UInt8(ascii: "/") ? self : "./" + self }
}

extension StoreWork {
  fileprivate func kind(isRoot: Bool) -> DatabaseWork {
    switch self {
    case .read(let ids): ids.count == 1 ? .readingOnce : .reading
    case .readAll: .reading
    case .writeObject(_, let item):
      // What is large is not kept several times at once.
      isRoot ? .writing : item.bytes.count <= 256 ? .writingRow : .writingOnce
    case .write(let entries): entries.count == 1 && !isRoot ? .writingOnce : .writing
    case .remove(let ids): ids.count == 1 ? .writingOnce : .writing
    case .removeAll: isRoot ? .writing : .writingOnce
    }
  }
}
