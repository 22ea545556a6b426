import Glibc
public import Ground

/// A file tree that records all reads of another one, so that the same part of it can be copied.
///
/// Waits at most two seconds for the size of a file system, so a dead network mount blocks nothing.
public final class TracedFiles: FileTree {
  /// The reads, by the paths that were read.
  public struct Trace: Sendable {
    /// Files that were opened.
    public var files: Set<String> = []
    /// Folders that were listed.
    public var folders: Set<String> = []
    /// Paths that were followed, or whose link was read.
    public var links: Set<String> = []
    /// Mount points that answered.
    public var statistics: [String: FileSystemStatistics] = [:]
    /// Files that may not be read.
    public var refused: Set<String> = []

    /// Nothing so far.
    public init() {}
  }

  private let inner: any FileTree
  private let noted = Monitor(Trace())

  /// Makes a tree that records the reads of this one.
  public init(_ inner: any FileTree) { self.inner = inner }

  /// The reads so far.
  public var trace: Trace { noted.withLock { $0 } }

  /// Opens the file of the tree below.
  public func open(_ path: String) throws(SystemError) -> any OpenFile {
    do throws(SystemError) {
      let file = try inner.open(path)
      noted.withLock { _ = $0.files.insert(path) }
      return file
    } catch {
      if error.isRefusal { noted.withLock { _ = $0.refused.insert(path) } }
      throw error
    }
  }

  /// The names in a folder of the tree below.
  public func entries(of path: String) throws(SystemError) -> [String] {
    let names = try inner.entries(of: path)
    noted.withLock { _ = $0.folders.insert(path) }
    return names
  }

  /// The folders in a folder of the tree below, of which a copy needs nothing else.
  public func folders(in path: String) throws(SystemError) -> [String] {
    let names = try inner.folders(in: path)
    noted.withLock { $0.links.formUnion([path] + names.map { "\(path)/\($0)" }) }
    return names
  }

  /// The path with every link followed.
  public func canonicalPath(of path: String) throws(SystemError) -> String {
    let found = try inner.canonicalPath(of: path)
    noted.withLock { _ = $0.links.insert(path) }
    return found
  }

  /// The text of a link.
  public func linkTarget(of path: String) throws(SystemError) -> String {
    let text = try inner.linkTarget(of: path)
    noted.withLock { _ = $0.links.insert(path) }
    return text
  }

  /// The sizes of a file system; ETIMEDOUT for one that keeps silent.
  public func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    let answer = Monitor<Result<FileSystemStatistics, SystemError>>(
      .failure(SystemError(ETIMEDOUT, at: mountPoint)))
    // Each has a worker of its own, since one that hangs never comes back.
    _ = SerialWorker(named: "gkit-statvfs").run(within: 2_000_000_000) { [inner] in
      let found: Result<FileSystemStatistics, SystemError>
      do throws(SystemError) {
        found = .success(try inner.statistics(of: mountPoint))
      } catch {
        found = .failure(error)
      }
      answer.withLock { $0 = found }
    }
    let sizes = try answer.withLock { $0 }.get()
    noted.withLock { $0.statistics[mountPoint] = sizes }
    return sizes
  }
}
