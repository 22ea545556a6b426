import Ground
package import Machine

/// Entries as files of one folder (data sources L31 to L34).
///
/// A call has the folder to itself among all threads and processes, or shares it with readers.
package final class FileStore: ByteStore {
  private let opener: any EntryFolderOpener
  private let naming: EntryNaming
  private let worker: StoreWorker

  /// The store of a folder, which need not be there.
  package init(
    _ opener: any EntryFolderOpener, _ naming: EntryNaming,
    among workers: StoreWorkers = StoreWorkers()
  ) {
    worker = StoreWorker(named: "gkit-files", among: workers)
    self.opener = opener
    self.naming = naming
  }

  package static let abilities: StoreAbilities = [.lists, .ids, .all]

  package func submit(
    _ work: StoreWork, _ canceller: (any Canceller)?,
    reply: @escaping @Sendable (Result<[StoredContent?], DataSourceError>) -> Void
  ) {
    worker.submit(
      canceller?.cancellation, { [self] _ throws(DataSourceError) in try perform(work) },
      reply: reply)
  }

  private func perform(_ work: StoreWork) throws(DataSourceError) -> [StoredContent?] {
    switch work {
    case .read(let ids):
      var files: [(EntryID, String)] = []
      for id in ids { files.append((id, try naming.name(of: id))) }
      guard let folder = try open(for: .reading) else { return ids.map { _ in nil } }
      var found: [StoredContent?] = []
      for (id, name) in files { found.append(try read(id, name, folder)) }
      return found
    case .readAll(let range):
      var items: [StoredItem] = []
      if let folder = try open(for: .reading) { items = try readAll(range, folder) }
      return [StoredContent(type: .bytes, isList: true, items: items)]
    case .writeObject(let id, let item): try write([(id, StoredContent(item))])
    case .write(let entries): try write(entries)
    case .remove(let ids):
      var files: [(EntryID, String)] = []
      for id in ids { files.append((id, try naming.name(of: id))) }
      try remove { folder throws(DataSourceError) in
        var names: [String] = []
        for (id, name) in files where !names.contains(where: { EntryID($0) == EntryID(name) }) {
          if try isEntry(id, name, folder) { names.append(name) }
        }
        return names
      }
    case .removeAll:
      try remove { folder throws(DataSourceError) in
        var names: [String] = []
        for name in try system({ () throws(SystemError) in try folder.names() }) {
          guard naming.mayBeName(name) else { continue }
          if try isEntry(nil, name, folder) { names.append(name) }
        }
        return names
      }
    }
    return []
  }

  private func open(for access: FileAccess) throws(DataSourceError) -> (any EntryFolder)? {
    try system { () throws(SystemError) in try opener.open(for: access) }
  }

  // MARK: Reading

  /// An entry's file and header; nil when nothing, or what is not ours, has the name.
  private func entry(
    _ name: String, _ folder: any EntryFolder
  ) throws(DataSourceError) -> (EntryHeader, any EntryFile)? {
    let file: any EntryFile
    do throws(SystemError) {
      file = try folder.open(name)
    } catch {
      if error.isAbsence { return nil }
      throw DataSourceError(error)
    }
    return try EntryHeader(file).map { ($0, file) }
  }

  private func read(
    _ id: EntryID, _ name: String, _ folder: any EntryFolder
  ) throws(DataSourceError) -> StoredContent? {
    guard let (header, file) = try entry(name, folder), EntryID(header.key) == id else {
      return nil
    }
    let items = try header.items(header.lengths.indices, of: file)
    return StoredContent(type: .bytes, isList: header.isList, items: items)
  }

  /// Objects first, then the elements of lists, in the order of keys (L15); of the rest only the
  /// headers are read.
  private func readAll(
    _ range: Range<Int>, _ folder: any EntryFolder
  ) throws(DataSourceError) -> [StoredItem] {
    var headers: [(EntryHeader, String)] = []
    for name in try system({ () throws(SystemError) in try folder.names() }) {
      guard naming.mayBeName(name), let (header, _) = try entry(name, folder),
        let own = try? naming.name(of: EntryID(header.key)), own.utf8.elementsEqual(name.utf8)
      else { continue }
      headers.append((header, name))
    }
    headers.sort { left, right in
      if left.0.isList != right.0.isList { return right.0.isList }
      return EntryID(left.0.key) < EntryID(right.0.key)
    }
    var items: [StoredItem] = []
    var skipped = range.lowerBound
    for (header, name) in headers where items.count < range.count {
      let count = header.lengths.count
      let wanted = min(skipped, count)..<min(count, skipped + min(count, range.count - items.count))
      skipped = max(0, skipped - count)
      if wanted.isEmpty { continue }
      let file = try system { () throws(SystemError) in try folder.open(name) }
      items += try header.items(wanted, of: file)
    }
    return items
  }

  /// Whether a file is an entry, of an id if there is one; a damaged one is by its name.
  private func isEntry(
    _ id: EntryID?, _ name: String, _ folder: any EntryFolder
  ) throws(DataSourceError) -> Bool {
    do throws(DataSourceError) {
      guard let (header, _) = try entry(name, folder) else { return false }
      let named = try naming.name(of: id ?? EntryID(header.key))
      return id.map { $0 == EntryID(header.key) } ?? named.utf8.elementsEqual(name.utf8)
    } catch {
      if error.code == .serialization { return true }
      if error.code == .illegalArgument { return false }
      throw error
    }
  }

  // MARK: Writing

  private func write(_ entries: [(EntryID, StoredContent)]) throws(DataSourceError) {
    var files: [FileTransaction.File] = []
    for (id, content) in entries {
      let file = FileTransaction.File(
        name: try naming.name(of: id), bytes: EntryHeader.file(id, content))
      files.append(file)
    }
    guard let folder = try open(for: .writing) else { throw DataSourceError(.failed) }
    for ((id, _), file) in zip(entries, files) {
      let isTaken = try system { () throws(SystemError) in try folder.exists(file.name) }
      guard isTaken else { continue }
      let isOurs = try isEntry(id, file.name, folder)
      if !isOurs { throw DataSourceError(SystemError.taken(file.name)) }
    }
    try system { () throws(SystemError) in try FileTransaction(folder).write(files) }
  }

  private func remove(
    _ names: (any EntryFolder) throws(DataSourceError) -> [String]
  ) throws(DataSourceError) {
    // Deleting makes no folder (L34).
    guard try open(for: .reading) != nil, let folder = try open(for: .writing) else { return }
    let found = try names(folder)
    try system { () throws(SystemError) in try FileTransaction(folder).remove(found) }
  }
}

/// What a body gives, and its error of the system as one of a data source.
func system<Answer>(
  _ body: () throws(SystemError) -> Answer
) throws(DataSourceError) -> Answer {
  do throws(SystemError) {
    return try body()
  } catch {
    if error.isInterruption { throw DataSourceError(.cancelled) }
    if error.isTimeout { throw DataSourceError(.timeout, "others have the folder for too long") }
    throw DataSourceError(error)
  }
}
