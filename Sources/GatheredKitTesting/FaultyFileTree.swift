public import Ground
public import Machine

/// A file tree that answers chosen paths with errors, as a real machine may at any time.
///
/// File modes cannot do that: tests often run as root, whom no mode keeps out.
public final class FaultyFileTree: FileTree {
  private struct State {
    var faults: [String: Int32] = [:]
    var reads: [String: Int] = [:]
  }

  private let inner: any FileTree
  private let state = Lock(State())

  /// A tree that behaves like another until told otherwise.
  public init(_ inner: any FileTree) {
    self.inner = inner
  }

  /// Makes every call on a path, and every reading of a file opened by it, fail with an errno.
  public func fail(_ path: String, with code: Int32) {
    state.withLock { $0.faults[path] = code }
  }

  /// Ends the fault of a path.
  public func mend(_ path: String) {
    // A plain number.
    state.withLock { $0.faults[path] = nil }
  }

  /// How often files opened by a path have been read, successfully or not.
  public func reads(of path: String) -> Int {
    state.withLock { $0.reads[path] ?? 0 }
  }

  /// Opens a file that obeys later faults too.
  public func open(_ path: String) throws(SystemError) -> any OpenFile {
    try check(path)
    return FaultyFile(inner: try inner.open(path), tree: self)
  }

  /// The names in a folder, unless the path has a fault.
  public func entries(of path: String) throws(SystemError) -> [String] {
    try check(path)
    return try inner.entries(of: path)
  }

  /// The path with every link followed, unless it has a fault.
  public func canonicalPath(of path: String) throws(SystemError) -> String {
    try check(path)
    return try inner.canonicalPath(of: path)
  }

  /// The text of a link, unless the path has a fault.
  public func linkTarget(of path: String) throws(SystemError) -> String {
    try check(path)
    return try inner.linkTarget(of: path)
  }

  /// The sizes of a file system, unless the mount point has a fault.
  public func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    try check(mountPoint)
    return try inner.statistics(of: mountPoint)
  }

  /// Writes to the tree below, unless the path has a fault.
  public func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    try check(path)
    try inner.write(bytes, to: path)
  }

  /// Refused if the path has a fault, whatever the tree below says.
  public func checkAccess(to path: String, for access: FileAccess) throws(SystemError) {
    try check(path)
    try inner.checkAccess(to: path, for: access)
  }

  private func check(_ path: String) throws(SystemError) {
    if let code = state.withLock({ $0.faults[path] }) { throw SystemError(code, at: path) }
  }

  fileprivate func countRead(of path: String) throws(SystemError) {
    state.withLock { $0.reads[path, default: 0] += 1 }
    try check(path)
  }
}

private struct FaultyFile: OpenFile {
  let inner: any OpenFile
  let tree: FaultyFileTree

  var path: String { inner.path }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try tree.countRead(of: path)
    return try inner.read(at: offset, into: buffer)
  }
}
