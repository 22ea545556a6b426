import Glibc
import Machine

/// Files as they are; reading those that are there is told of, and can be called off.
///
/// A reading that is called off fails with ECANCELED, between two others: nothing is half written.
struct WatchedStorage: Storage {
  /// Given how many bytes have been read, and how long the file is; whether to go on.
  typealias Observer = @Sendable (_ read: Int, _ size: Int) -> Bool

  private let storage = LiveStorage()
  private let observer: Observer
  private let count = Monitor(0)
  private let hasMade = Monitor(false)

  /// Watches by a function, which is called on the thread that reads.
  init(_ observer: @escaping Observer) { self.observer = observer }

  /// Whether a file was made.
  var hasMadeFile: Bool { hasMade.withLock { $0 } }

  func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
    let file = try storage.open(path, for: use)
    if case .creating = use {
      hasMade.withLock { $0 = true }
      return file
    }
    let size = try file.size()
    return WatchedFile(file) { [observer, count] more in
      let all = count.withLock { count in
        count += more
        return count
      }
      return observer(all, size)
    }
  }

  func names(in folder: String) throws(SystemError) -> [String] { try storage.names(in: folder) }

  func remove(_ path: String) throws(SystemError) { try storage.remove(path) }

  func replacement(of path: String) throws(SystemError) -> any StoredFile {
    try storage.replacement(of: path)
  }

  func move(_ path: String, to other: String) throws(SystemError) {
    try storage.move(path, to: other)
  }
}

private struct WatchedFile: StoredFile {
  private let file: any StoredFile
  private let goesOn: @Sendable (_ more: Int) -> Bool

  init(_ file: any StoredFile, _ goesOn: @escaping @Sendable (_ more: Int) -> Bool) {
    self.file = file
    self.goesOn = goesOn
  }

  var path: String { file.path }
  func size() throws(SystemError) -> Int { try file.size() }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let count = try file.read(at: offset, into: buffer)
    if !goesOn(count) { throw SystemError(ECANCELED, at: path) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    try file.write(bytes, at: offset)
  }

  func sync() throws(SystemError) { try file.sync() }
  func truncate(to size: Int) throws(SystemError) { try file.truncate(to: size) }
}
