import Glibc
import Ground
import Machine

/// A file storage that reports the progress of reading existing files, which can be cancelled.
///
/// A cancelled reading fails with ECANCELED, between two others: no file is left half written.
struct WatchedStorage: ForwardingStorage {
  /// Given how many bytes have been read, and how long the file is; whether to go on.
  typealias Observer = @Sendable (_ read: Int, _ size: Int) -> Bool

  let storage: any FileStorage = LiveStorage()
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
}

private struct WatchedFile: ForwardingFile {
  let file: any StoredFile
  private let goesOn: @Sendable (_ more: Int) -> Bool

  init(_ file: any StoredFile, _ goesOn: @escaping @Sendable (_ more: Int) -> Bool) {
    self.file = file
    self.goesOn = goesOn
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let count = try file.read(at: offset, into: buffer)
    if !goesOn(count) { throw SystemError(ECANCELED, at: path) }
    return count
  }
}
