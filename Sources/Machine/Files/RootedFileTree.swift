import CLinux
import Glibc
public import Ground

/// The files of this computer, or those of another captured below a folder.
///
/// All access uses the plain functions of libc, which a preloaded test double can replace.
public struct RootedFileTree: FileTree {
  private let links: LinkResolver?
  /// The sizes of file systems in a captured tree.
  private let sizes = StatisticsTable()

  /// The files of this computer.
  public static let live = RootedFileTree(links: nil)

  /// A captured tree. Throws ENOENT or ENOTDIR when the folder is none.
  public init(root: String) throws(SystemError) {
    let resolved = try Self.realPath(root)
    var status = stat()
    guard stat(resolved, &status) == 0 else { throw SystemError(errno, at: root) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR, at: root) }
    links = LinkResolver(root: resolved == "/" ? "" : resolved)
  }

  /// Looks at a captured tree, and gives what that depended on too; nil where it cannot be told.
  public func recording<Output>(
    _ look: () -> Output
  ) -> (found: Output, stamps: TreeStamps?) {
    links?.looks.record(look) ?? (look(), nil)
  }

  private init(links: LinkResolver?) {
    self.links = links
  }

  /// Opens a file without ever waiting for it; a pipe or socket is ENXIO, as is a device in a
  /// captured tree.
  public func open(_ path: String) throws(SystemError) -> any OpenFile {
    guard let links else { return LiveFile(path, try Self.openHost(path, at: path)) }
    // Found out at once, though each reading opens anew.
    return try CapturedFile.open(path, links)
  }

  /// The names in a folder; bytes that are not UTF-8 appear as U+FFFD.
  public func entries(of path: String) throws(SystemError) -> [String] {
    try names(in: path) { _, _ in true }
  }

  /// The names of the folders in a folder, without links to folders.
  public func folders(in path: String) throws(SystemError) -> [String] {
    try names(in: path) { number, entry in
      let type = Int32(entry.pointee.d_type)
      if type != Int32(DT_UNKNOWN) { return type == Int32(DT_DIR) }
      var status = stat()
      guard let name = clinux_entry_name(entry) else { return false }
      return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  private func names(
    in path: String, where isWanted: (Int32, UnsafeMutablePointer<dirent>) -> Bool
  ) throws(SystemError) -> [String] {
    guard let folder = opendir(try hostPath(of: path)) else { throw SystemError(errno, at: path) }
    defer { closedir(folder) }
    let number = dirfd(folder)
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder), let name = clinux_entry_name(entry) else { break }
      if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !isWanted(number, entry) { continue }
      names.append(String(cString: name))
    }
    guard errno == 0 else { throw SystemError(errno, at: path) }
    return names
  }

  /// The path with every symbolic link followed, as seen from the root.
  public func canonicalPath(of path: String) throws(SystemError) -> String {
    if let links { return try links.resolve(path).path }
    try Self.check(path)
    return try Self.realPath(path)
  }

  /// The text of a symbolic link; EINVAL when it is something else.
  public func linkTarget(of path: String) throws(SystemError) -> String {
    let host: String
    if let links {
      host = links.root + (try links.resolve(path, followingLast: false).path)
    } else {
      try Self.check(path)
      host = path
    }
    return try LinkResolver.readLink(host, at: path)
  }

  /// statvfs(3); in a captured tree the side file, where a mount point without a line is
  /// EOPNOTSUPP.
  public func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    if links != nil { return try sizes.statistics(of: mountPoint, in: self) }
    try Self.check(mountPoint)
    var sizes = statvfs()
    // A pointer for the call alone: the path is not copied.
    guard mountPoint.withCString({ statvfs($0, &sizes) }) == 0 else {
      throw SystemError(errno, at: mountPoint)
    }
    return FileSystemStatistics(
      blockSize: UInt64(sizes.f_frsize), blocks: UInt64(sizes.f_blocks),
      blocksFree: UInt64(sizes.f_bfree), blocksAvailable: UInt64(sizes.f_bavail),
      inodes: UInt64(sizes.f_files), inodesFree: UInt64(sizes.f_ffree),
      isReadOnly: UInt(sizes.f_flag) & UInt(ST_RDONLY) != 0)
  }

  /// Writes an attribute of this computer; makes no file and never waits. EROFS in a captured tree.
  public func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    guard links == nil else { throw SystemError(EROFS, at: path) }
    try Self.check(path)
    let flags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = Glibc.open(path, flags)
    guard number >= 0 else { throw SystemError(errno, at: path) }
    defer { close(number) }
    let count = Glibc.write(number, bytes, bytes.count)
    guard count >= 0 else { throw SystemError(errno, at: path) }
    // A driver takes a text whole or not at all.
    if count < bytes.count { throw SystemError(EIO, at: path) }
  }

  /// Checks with the rights an open would have (AT_EACCESS); captured trees refuse nothing.
  public func checkAccess(to path: String, for access: FileAccess) throws(SystemError) {
    guard links == nil else { return }
    try Self.check(path)
    let mode = access == .reading ? R_OK : W_OK
    guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 else {
      throw SystemError(errno, at: path)
    }
  }

  /// The magic number of the file system a path of this computer is on; 0 if that is not known.
  static func fileSystem(of host: [CChar]) -> UInt32 { clinux_file_system(host) }

  private func hostPath(of path: String) throws(SystemError) -> String {
    if let links { return links.root + (try links.resolve(path).path) }
    try Self.check(path)
    return path
  }

  /// A path the kernel would read otherwise than it is written leads nowhere.
  static func check(_ path: String) throws(SystemError) {
    if !path.utf8.starts(with: "/".utf8) || path.utf8.contains(0) {
      throw SystemError(ENOENT, at: path)
    }
  }

  private static func realPath(_ path: String) throws(SystemError) -> String {
    guard !path.utf8.contains(0) else { throw SystemError(ENOENT, at: path) }
    guard let resolved = realpath(path, nil) else { throw SystemError(errno, at: path) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func openHost(_ host: String, at path: String) throws(SystemError) -> Descriptor {
    try check(path)
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = Glibc.open(host, flags)
    guard number >= 0 else { throw SystemError(errno, at: path) }
    let descriptor = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError(errno, at: path) }
    if status.st_mode & S_IFMT == S_IFIFO { throw SystemError(ENXIO, at: path) }
    return descriptor
  }
}
