import Gathering
import Ground
import Machine

/// Files in memory, as a test made them.
final class MemoryStorage: FileStorage {
  private let files: Monitor<[String: MemoryFile]>

  init(_ files: [String: [UInt8]] = [:]) {
    self.files = Monitor(
      Dictionary(uniqueKeysWithValues: files.map { ($0, MemoryFile($0, $1)) }))
  }

  /// What a file holds; nothing of one that is not there.
  func bytes(of path: String) -> [UInt8] { files.withLock { $0[path] }?.bytes ?? [] }

  func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
    let known = files.withLock { $0[path] }
    switch (use, known) {
    case (.creating, _?): throw SystemError(.exists, at: path)
    case (.creating, nil): return make(path)
    case (_, let file?): return file
    case (_, nil): throw SystemError(SystemText.noEntry, at: path)
    }
  }

  private func make(_ path: String) -> MemoryFile {
    let file = MemoryFile(path, [])
    let former = files.withLock { $0.updateValue(file, forKey: path) }
    withExtendedLifetime(former) {}
    return file
  }

  func names(in folder: String) throws(SystemError) -> [String] {
    files.withLock { Array($0.keys) }
  }

  func remove(_ path: String) throws(SystemError) {
    let former = files.withLock { $0.removeValue(forKey: path) }
    if former == nil { throw SystemError(SystemText.noEntry, at: path) }
  }

  func replacement(of path: String) throws(SystemError) -> any StoredFile { make(path + ".new") }

  func move(_ path: String, to other: String) throws(SystemError) {
    let bytes = bytes(of: path)
    try remove(path)
    try make(other).writeAll(bytes, at: 0)
  }
}

private final class MemoryFile: StoredFile {
  let path: String
  private let content: Monitor<[UInt8]>

  var bytes: [UInt8] { content.withLock { $0 } }

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    content = Monitor(bytes)
  }

  func size() throws(SystemError) -> Int { content.withLock { $0.count } }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    content.withLock { content in
      let missing = offset + bytes.count - content.count
      if missing > 0 { content += [UInt8](repeating: 0, count: missing) }
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    return bytes.count
  }

  func sync() throws(SystemError) {}

  func truncate(to size: Int) throws(SystemError) {
    content.withLock { $0.removeLast(max(0, $0.count - size)) }
  }
}
