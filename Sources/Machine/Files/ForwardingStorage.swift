package import Ground

/// A storage that forwards to another one all methods it does not implement itself.
package protocol ForwardingStorage: FileStorage {
  /// The other one.
  var storage: any FileStorage { get }
}

extension ForwardingStorage {
  package func names(in folder: String) throws(SystemError) -> [String] {
    try storage.names(in: folder)
  }

  package func remove(_ path: String) throws(SystemError) { try storage.remove(path) }

  package func replacement(of path: String) throws(SystemError) -> any StoredFile {
    try storage.replacement(of: path)
  }

  package func move(_ path: String, to other: String) throws(SystemError) {
    try storage.move(path, to: other)
  }
}

/// An open file that forwards to another one all methods it does not implement itself.
package protocol ForwardingFile: StoredFile {
  /// The other one.
  var file: any StoredFile { get }
}

extension ForwardingFile {
  package var path: String { file.path }

  package func size() throws(SystemError) -> Int { try file.size() }

  package func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    try file.read(at: offset, into: buffer)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    try file.write(bytes, at: offset)
  }

  package func sync() throws(SystemError) { try file.sync() }

  package func truncate(to size: Int) throws(SystemError) { try file.truncate(to: size) }
}
