import Glibc
public import Ground

/// Files, folders and links to be written below a folder, as a captured tree (sources C3).
public struct FolderTree: Equatable, Sendable {
  /// Contents by path.
  public var files: [String: [UInt8]] = [:]
  /// Texts of links by path.
  public var links: [String: String] = [:]
  /// Folders that may be empty.
  public var folders: Set<String> = []

  /// Nothing so far.
  public init() {}

  /// How many bytes its files have.
  public var size: Int { files.values.reduce(0) { $0 + $1.count } }

  /// The side file of file-system sizes.
  public mutating func add(_ statistics: [String: FileSystemStatistics]) {
    guard !statistics.isEmpty else { return }
    files[StatisticsFile.path] = Array(StatisticsFile.text(of: statistics).utf8)
  }

  /// Writes everything below a folder, which is created or must be empty: files 0600, folders 0700.
  ///
  /// `goesOn` is called before each file. If it returns false, or a write fails, the files written
  /// are removed again; returns false in the first case. Throws EEXIST or ENOTEMPTY for a folder
  /// that is not empty, ENOTDIR for a file.
  public func write(to folder: String, while goesOn: () -> Bool) throws(SystemError) -> Bool {
    var writing = TreeWriting(root: folder)
    do throws(SystemError) {
      try writing.begin()
      for path in folders.sorted() { try writing.makeFolder(path) }
      for (path, target) in links.sorted(by: { $0.key < $1.key }) {
        try writing.link(path, to: target)
      }
      for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
        guard goesOn() else {
          writing.undo()
          return false
        }
        try writing.write(bytes, to: path)
      }
      return true
    } catch {
      writing.undo()
      throw error
    }
  }
}

/// The files written so far, to be removed in reverse order.
private struct TreeWriting {
  let root: String
  private var made: [(path: String, isFolder: Bool)] = []
  private var known: Set<String> = []

  init(root: String) { self.root = root }

  mutating func begin() throws(SystemError) {
    if mkdir(root, 0o700) == 0 {
      made.append((root, true))
      return
    }
    guard errno == EEXIST else { throw SystemError(errno, at: root) }
    let present = try RootedFileTree.live.entries(of: Self.absolute(root))
    guard present.isEmpty else { throw SystemError(ENOTEMPTY, at: root) }
    guard chmod(root, 0o700) == 0 else { throw SystemError(errno, at: root) }
  }

  mutating func makeFolder(_ path: String) throws(SystemError) {
    var folder = ""
    for name in path.split(separator: "/") {
      folder += "/" + name
      guard known.insert(folder).inserted else { continue }
      guard mkdir(root + folder, 0o700) == 0 else { throw SystemError(errno, at: root + folder) }
      made.append((root + folder, true))
    }
  }

  mutating func link(_ path: String, to target: String) throws(SystemError) {
    try makeFolder(Self.parent(of: path))
    guard symlink(target, root + path) == 0 else { throw SystemError(errno, at: root + path) }
    made.append((root + path, false))
  }

  mutating func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    try makeFolder(Self.parent(of: path))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = open(root + path, flags, 0o600)
    guard number >= 0 else { throw SystemError(errno, at: root + path) }
    made.append((root + path, false))
    let descriptor = Descriptor(owning: number)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError(errno, at: root + path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Removes the files written, as far as possible: there is no further way to recover.
  mutating func undo() {
    while let (path, isFolder) = made.popLast() { _ = isFolder ? rmdir(path) : unlink(path) }
  }

  private static func parent(of path: String) -> String {
    path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
  }

  private static func absolute(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }
}

extension SystemError {
  /// Whether rights are lacking.
  public var isRefusal: Bool { code == EACCES || code == EPERM }
}
