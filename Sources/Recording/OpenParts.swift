import Gathering
import Ground
import Machine

/// The files of a recording as far as they are open: few at a time, however many it has.
final class OpenParts: ForwardingStorage {
  private static let limit = 32

  let storage: any FileStorage
  /// The open files, the one used last at the end.
  private let files = Monitor<[any StoredFile]>([])

  init(in storage: any FileStorage) { self.storage = storage }

  func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
    _ = try file(at: path)
    return Part(path: path, parts: self)
  }

  /// Closes all files; the next use opens the file that exists then.
  func close() {
    let open = files.withLock { files in
      defer { files = [] }
      return files
    }
    withExtendedLifetime(open) {}
  }

  fileprivate func file(at path: String) throws(SystemError) -> any StoredFile {
    let known = files.withLock { files -> (any StoredFile)? in
      guard let place = files.firstIndex(where: { $0.path == path }) else { return nil }
      files.append(files.remove(at: place))
      return files.last
    }
    if let known { return known }
    let file = try storage.open(path, for: .reading)
    let oldest = files.withLock { files in
      files.append(file)
      return files.count > Self.limit ? files.removeFirst() : nil
    }
    withExtendedLifetime(oldest) {}
    return file
  }
}

/// A file that is reopened on use.
private struct Part: StoredFile {
  let path: String
  let parts: OpenParts

  func size() throws(SystemError) -> Int { try parts.file(at: path).size() }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try parts.file(at: path).read(at: offset, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    try parts.file(at: path).write(bytes, at: offset)
  }

  func sync() throws(SystemError) { try parts.file(at: path).sync() }

  func truncate(to size: Int) throws(SystemError) { try parts.file(at: path).truncate(to: size) }
}
