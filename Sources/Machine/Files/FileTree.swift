import Glibc
public import Ground

/// The files of a machine, below one root.
///
/// Paths are absolute as on the machine itself (`/sys/class/net`). Symbolic links resolve inside
/// the root; one that leads outside counts as missing (sources C3). Any thread may call.
public protocol FileTree: Sendable {
  /// Opens a file for repeated reading; the descriptor stays open as long as the object lives.
  func open(_ path: String) throws(SystemError) -> any OpenFile
  /// The names in a folder, without `.` and `..`, in no particular order.
  func entries(of path: String) throws(SystemError) -> [String]
  /// The names of the folders in a folder, in no particular order.
  func folders(in path: String) throws(SystemError) -> [String]
  /// The path with every symbolic link followed, as seen from the root.
  func canonicalPath(of path: String) throws(SystemError) -> String
  /// The text of a symbolic link, unresolved.
  func linkTarget(of path: String) throws(SystemError) -> String
  /// The size and use of the file system mounted at a mount point: statvfs(3), or the side file
  /// `.gkit/statvfs` of a captured tree. May block on a dead network mount.
  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics
  /// Writes an attribute of a device, whole, as one write(2). Everything but this computer itself
  /// refuses with EROFS: a captured tree is never written.
  func write(_ bytes: [UInt8], to path: String) throws(SystemError)
  /// Checks permissions without opening the file. Throws the errors opening it would: EACCES,
  /// EPERM, and ENOENT if there is no file.
  func checkAccess(to path: String, for access: FileAccess) throws(SystemError)
}

/// The use a file is opened for.
public enum FileAccess: Sendable {
  case reading, writing
}

extension FileTree {
  /// What can be listed is a folder.
  public func folders(in path: String) throws(SystemError) -> [String] {
    try entries(of: path).filter { (try? entries(of: "\(path)/\($0)")) != nil }
  }

  /// Refuses: most trees are for reading.
  public func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    throw SystemError(EROFS, at: path)
  }

  /// Refuses nothing: only this computer has rights to lack.
  public func checkAccess(to path: String, for access: FileAccess) throws(SystemError) {}
}

/// A file kept open for reading from its start again and again.
public protocol OpenFile: Sendable {
  /// The path it was opened by.
  var path: String { get }
  /// Reads at an offset into a buffer, as pread(2): the number of bytes, 0 at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// Whether the kernel has announced a change since the file was opened or last asked, as it does
  /// for the table of mounts; nil where nothing would be announced.
  func hasNews() -> Bool?
}

extension OpenFile {
  /// Nothing is announced.
  public func hasNews() -> Bool? { nil }
}

/// Sizes of one file system, as statvfs(3) gives them.
public struct FileSystemStatistics: Equatable, Sendable {
  /// Bytes of one block (`f_frsize`).
  public var blockSize: UInt64
  /// All blocks, free blocks, and those free to unprivileged users.
  public var blocks, blocksFree, blocksAvailable: UInt64
  /// All inodes and the free ones; 0 where the file system has none to count.
  public var inodes, inodesFree: UInt64
  /// Whether the mount or the whole file system refuses writes (ST_RDONLY); nil if only the mount
  /// table is known, as in a captured tree.
  public var isReadOnly: Bool?

  /// Sizes in blocks and inodes, and whether they are for reading only.
  public init(
    blockSize: UInt64, blocks: UInt64, blocksFree: UInt64, blocksAvailable: UInt64,
    inodes: UInt64, inodesFree: UInt64, isReadOnly: Bool? = nil
  ) {
    self.blockSize = blockSize
    self.blocks = blocks
    self.blocksFree = blocksFree
    self.blocksAvailable = blocksAvailable
    self.inodes = inodes
    self.inodesFree = inodesFree
    self.isReadOnly = isReadOnly
  }
}
