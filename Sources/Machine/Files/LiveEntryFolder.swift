import CLinux
import Glibc
public import Ground

/// A folder of this computer, held by flock(2) while it is open.
///
/// All calls are relative to its descriptor, so that no other folder can take its place.
public final class LiveEntryFolder: EntryFolder {
  private let path: String
  private let folder: Descriptor

  fileprivate init(_ path: String, _ folder: Descriptor) {
    self.path = path
    self.folder = folder
  }

  /// The names in the folder. Names that are not UTF-8 are left out, since no entry has such a
  /// name.
  public func names() throws(SystemError) -> [String] {
    let number = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(errno, at: path) }
    guard let stream = fdopendir(number) else {
      defer { close(number) }
      throw SystemError(errno, at: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream), let name = clinux_entry_name(entry) else { break }
      guard let text = String(validatingCString: name) else { continue }
      if text != "." && text != ".." { names.append(text) }
    }
    guard errno == 0 else { throw SystemError(errno, at: path) }
    return names
  }

  /// Opens a plain file without ever waiting for it.
  public func open(_ name: String) throws(SystemError) -> any EntryFile {
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = openat(folder.number, name, flags)
    // A link is ELOOP, a socket ENXIO: not a plain file either way.
    guard number >= 0 else {
      let code = errno
      throw SystemError(code == ELOOP || code == ENXIO ? ENOENT : code, at: place(of: name))
    }
    let file = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError(errno, at: place(of: name)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(ENOENT, at: place(of: name)) }
    return LiveEntryFile(place: place(of: name), size: Int(status.st_size), descriptor: file)
  }

  /// fstatat(2), of a link itself.
  public func exists(_ name: String) throws(SystemError) -> Bool {
    var status = stat()
    if fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return true }
    guard errno == ENOENT else { throw SystemError(errno, at: place(of: name)) }
    return false
  }

  /// Makes a new file of mode 0600; one that cannot be written whole is removed again.
  public func create(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = openat(folder.number, name, flags, 0o600)
    guard number >= 0 else { throw SystemError(errno, at: place(of: name)) }
    let file = Descriptor(owning: number)
    do throws(SystemError) {
      try write(bytes, to: file.number, name)
      guard fsync(file.number) == 0 else { throw SystemError(errno, at: place(of: name)) }
    } catch {
      unlinkat(folder.number, name, 0)
      throw error
    }
  }

  private func write(
    _ bytes: [UInt8], to number: Int32, _ name: String
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        Glibc.write(number, all.baseAddress?.advanced(by: done), all.count - done)
      }
      if count > 0 { done += count }
      if count < 0 && errno != EINTR { throw SystemError(errno, at: place(of: name)) }
    }
  }

  /// linkat(2): the link itself, should it be one.
  public func link(_ name: String, to other: String) throws(SystemError) {
    try check(linkat(folder.number, name, folder.number, other, 0), name)
  }

  /// renameat(2).
  public func rename(_ name: String, to other: String) throws(SystemError) {
    try check(renameat(folder.number, name, folder.number, other), other)
  }

  /// unlinkat(2).
  public func remove(_ name: String) throws(SystemError) {
    try check(unlinkat(folder.number, name, 0), name)
  }

  /// fsync(2) of the folder.
  public func synchronise() throws(SystemError) {
    guard fsync(folder.number) == 0 else { throw SystemError(errno, at: path) }
  }

  private func check(_ answer: Int32, _ name: String) throws(SystemError) {
    if answer != 0 { throw SystemError(errno, at: place(of: name)) }
  }

  private func place(of name: String) -> String { path + "/" + name }
}

private struct LiveEntryFile: EntryFile {
  let place: String
  let size: Int
  let descriptor: Descriptor

  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    let length = max(0, min(count, size - offset))
    // Read here, and turned into what it stands for.
    try Room.check(length, timesFor: 4, at: place)
    var bytes = [UInt8](repeating: 0, count: length)
    var done = 0
    while done < bytes.count {
      let (start, wanted) = (done, bytes.count - done)
      let count = bytes.withUnsafeMutableBytes { all in
        pread(
          descriptor.number, all.baseAddress?.advanced(by: start), wanted, off_t(offset + start))
      }
      if count < 0 && errno != EINTR { throw SystemError(errno, at: place) }
      // The file was truncated meanwhile. The caller knows the length and detects that bytes are
      // missing.
      if count == 0 { break }
      if count > 0 { done += count }
    }
    bytes.removeLast(bytes.count - done)
    return bytes
  }
}

/// Opens a folder of this computer for one call at a time among all threads and processes.
public struct LiveEntryFolderOpener: EntryFolderOpener {
  private let path: String
  private let patience: Int64
  private let cancellation: Cancellation?

  /// The folder at a path; `patience` is in nanoseconds, and `cancellation` ends it: ECANCELED.
  public init(_ path: String, patience: Int64, cancellation: Cancellation? = nil) {
    self.path = path
    self.patience = patience
    self.cancellation = cancellation
  }

  /// Opens it; for writing it is made if missing, with the folders above it.
  public func open(for access: FileAccess) throws(SystemError) -> (any EntryFolder)? {
    if path.utf8.contains(0) { throw SystemError(EINVAL, at: path) }
    if access == .writing { try PrivateFolder.make(path) }
    let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      let code = errno
      if code == ENOENT && access == .reading { return nil }
      throw SystemError(code, at: path)
    }
    let folder = Descriptor(owning: number)
    try hold(number, access == .writing ? LOCK_EX : LOCK_SH)
    return LiveEntryFolder(path, folder)
  }

  private func hold(_ number: Int32, _ operation: Int32) throws(SystemError) {
    let limit = Monitor<Void>.moment(after: patience)
    while flock(number, operation | LOCK_NB) != 0 {
      let code = errno
      // Some network file systems lock no folders: there the last writer wins.
      guard code == EWOULDBLOCK || code == EINTR else { return }
      if cancellation?.isCancelled == true { throw SystemError(ECANCELED, at: path) }
      if Monitor<Void>.moment(after: 0) >= limit { throw SystemError(ETIMEDOUT, at: path) }
      usleep(500)
    }
  }
}
