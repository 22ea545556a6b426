import Glibc
public import Ground

/// The files of this computer.
public struct LiveStorage: FileStorage {
  /// Opens nothing yet.
  public init() {}

  /// Opens a file, and locks it if it is opened for writing. It is an open file description lock,
  /// which the kernel releases when the process ends in any way.
  public func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw SystemError(ENOENT, at: path) }
    let flags =
      switch use {
      case .reading: O_RDONLY | O_NONBLOCK
      case .creating: O_RDWR | O_CREAT | O_EXCL
      case .changing: O_RDWR | O_NONBLOCK
      }
    // The content may be personal (sources P6).
    let number = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o600)
    guard number >= 0 else { throw SystemError(errno, at: path) }
    let file = HostStoredFile(path, Descriptor(owning: number))
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError(errno, at: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL, at: path) }
    if use != .reading { try file.lock() }
    if use == .creating { try keepName(of: path) }
    // Another file has taken its place before it was locked: that one is meant.
    if use == .changing, !Self.isStill(status, at: path) { return try open(path, for: use) }
    return file
  }

  /// Whether a path leads to a file.
  private static func isStill(_ file: stat, at path: String) -> Bool {
    var present = stat()
    // A file that no longer exists counts as unchanged.
    guard stat(path, &present) == 0 else { return true }
    return present.st_ino == file.st_ino && present.st_dev == file.st_dev
  }

  /// The names in a folder; bytes that are not UTF-8 appear as U+FFFD.
  public func names(in folder: String) throws(SystemError) -> [String] {
    try RootedFileTree.live.entries(of: try resolved(folder))
  }

  /// Removes a file.
  public func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 else { throw SystemError(errno, at: path) }
  }

  /// Makes an empty file beside another, with its mode.
  public func replacement(of path: String) throws(SystemError) -> any StoredFile {
    let path = try resolved(path)
    var former = stat()
    guard stat(path, &former) == 0 else { throw SystemError(errno, at: path) }
    let name = path + ".new"
    guard unlink(name) == 0 || errno == ENOENT else { throw SystemError(errno, at: name) }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let number = Glibc.open(name, flags, 0o600)
    guard number >= 0 else { throw SystemError(errno, at: name) }
    let file = HostStoredFile(name, Descriptor(owning: number))
    try file.lock()
    // Only root may give a file away; for other users a failure does not matter.
    _ = fchown(number, former.st_uid, former.st_gid)
    guard fchmod(number, former.st_mode & 0o777) == 0 else { throw SystemError(errno, at: name) }
    return file
  }

  /// Renames a file, replacing any file of the new name; a link is followed.
  public func move(_ path: String, to other: String) throws(SystemError) {
    let other = (try? resolved(other)) ?? other
    guard rename(path, other) == 0 else { throw SystemError(errno, at: other) }
    try keepName(of: other)
  }

  /// A path without symbolic links: the file is replaced, not the link to it.
  private func resolved(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemError(errno, at: path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A new name is on the device only when its folder is.
  private func keepName(of path: String) throws(SystemError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
    let number = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(errno, at: folder) }
    defer { close(number) }
    // Some file systems cannot sync a folder, and need not.
    guard fsync(number) == 0 || errno == EINVAL else { throw SystemError(errno, at: folder) }
  }
}

private final class HostStoredFile: StoredFile {
  let path: String
  private let descriptor: Descriptor

  init(_ path: String, _ descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func lock() throws(SystemError) {
    var whole = flock()
    whole.l_type = Int16(F_WRLCK)
    whole.l_whence = Int16(SEEK_SET)
    // F_OFD_SETLK, which Glibc's module hides: a lock of the open file, not of the process.
    guard fcntl(descriptor.number, 37, &whole) == 0 else {
      let isTaken = errno == EAGAIN || errno == EACCES
      throw SystemError(isTaken ? EBUSY : errno, at: path)
    }
  }

  func size() throws(SystemError) -> Int {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw SystemError(errno, at: path) }
    return Int(status.st_size)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try retrying { pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    try retrying { pwrite(descriptor.number, bytes.baseAddress, bytes.count, off_t(offset)) }
  }

  func sync() throws(SystemError) {
    _ = try retrying { Int(fdatasync(descriptor.number)) }
  }

  func truncate(to size: Int) throws(SystemError) {
    _ = try retrying { Int(ftruncate(descriptor.number, off_t(size))) }
  }

  private func retrying(_ call: () -> Int) throws(SystemError) -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      if errno != EINTR { throw SystemError(errno, at: path) }
    }
  }
}

extension Int32 {
  /// ENOSPC: no space left on the device.
  public static let noSpace: Int32 = ENOSPC
  /// EEXIST: the file exists already.
  public static let exists: Int32 = EEXIST
  /// EBUSY: the file is in use elsewhere.
  public static let inUse: Int32 = EBUSY
}
