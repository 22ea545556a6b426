public import Ground

/// Files of the host that are written and kept: recordings.
///
/// Apart from `FileTree`, which is the machine that is looked at. Any thread may call.
public protocol FileStorage: Sendable {
  /// Opens a file. Throws ENOENT, EEXIST and the errors of open(2); EBUSY if another recorder, also
  /// of this process, has it open for writing.
  func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile
  /// The names in a folder, in no particular order.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Removes a file.
  func remove(_ path: String) throws(SystemError)
  /// Makes an empty file of the same owner and mode, which will replace another. Only one caller at
  /// a time may do so; the file of an earlier attempt is removed.
  func replacement(of path: String) throws(SystemError) -> any StoredFile
  /// Renames a file within its folder, atomically replacing a file of the new name. The rename is
  /// durable on return.
  func move(_ path: String, to other: String) throws(SystemError)
}

/// The use a stored file is opened for.
public enum StorageUse: Sendable {
  /// Reading a file that is there, also while it is written.
  case reading
  /// Writing a file that is not there yet, of mode 0600; its name is kept before this returns.
  case creating
  /// Writing a file that is there.
  case changing
}

/// An open file, closed with its last reference. One thread writes.
public protocol StoredFile: Sendable {
  /// The path it was opened by.
  var path: String { get }
  /// How long it is.
  func size() throws(SystemError) -> Int
  /// Reads at an offset, as pread(2): the number of bytes, 0 at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// Writes at an offset, as pwrite(2): the number of bytes, which may be less than given.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// Returns when the content is on the device.
  func sync() throws(SystemError)
  /// Cuts it off, or fills it up with zeros.
  func truncate(to size: Int) throws(SystemError)
}

extension StoredFile {
  /// Reads `count` bytes, or fewer at the end of the file.
  public func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    // An array without room is the one that all empty arrays share, which this would write to.
    if count == 0 { return [] }
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
          let read = try self.read(at: offset + filled, into: rest)
          if read == 0 { break }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes. Throws ENOSPC where nothing more is taken.
  public func writeAll(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let outcome: Result<Int, SystemError> = bytes.withUnsafeBytes { all in
        do throws(SystemError) {
          let rest = UnsafeRawBufferPointer(rebasing: all[written...])
          return .success(try write(rest, at: offset + written))
        } catch {
          return .failure(error)
        }
      }
      let count = try outcome.get()
      if count == 0 { throw SystemError(.noSpace, at: path) }
      written += count
    }
  }
}
