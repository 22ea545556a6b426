import Ground
import Machine

/// A captured tree kept in memory, each path followed once: many machines that differ in one file
/// are made of it.
final class KnownTree: Sendable {
  /// The way a path leads: every place on it, without links but the last of each, and the end.
  struct Way: Sendable {
    var places: [String]
    var end: String
  }

  private struct Known {
    var ways: [String: Way] = [:]
    var files: [String: Result<[UInt8], SystemError>] = [:]
    var folders: [String: Result<[String], SystemError>] = [:]
  }

  let tree: any FileTree
  private let known = Monitor(Known())

  init(_ tree: any FileTree) { self.tree = tree }

  func way(of path: String) -> Way {
    if let way = known.withLock({ $0.ways[path] }) { return way }
    var way = Way(places: [], end: "/")
    for name in path.split(separator: "/") {
      let next = Self.join(way.end, String(name))
      way.places.append(next)
      // What leads nowhere is told by the tree itself, as its own error.
      way.end = (try? tree.canonicalPath(of: next)) ?? next
      if way.end != next { way.places.append(way.end) }
    }
    known.withLock { $0.ways[path] = way }
    return way
  }

  func bytes(of place: String) throws(SystemError) -> [UInt8] {
    if let found = known.withLock({ $0.files[place] }) { return try found.get() }
    let found: Result<[UInt8], SystemError>
    do throws(SystemError) {
      let file = PolledFile(place, in: tree, limit: 1 << 22, holding: .bytes)
      found = .success(Array(try file.read()))
    } catch {
      found = .failure(error)
    }
    known.withLock { $0.files[place] = found }
    return try found.get()
  }

  func entries(of place: String) throws(SystemError) -> [String] {
    if let found = known.withLock({ $0.folders[place] }) { return try found.get() }
    let found: Result<[String], SystemError>
    do throws(SystemError) {
      found = .success(try tree.entries(of: place))
    } catch {
      found = .failure(error)
    }
    known.withLock { $0.folders[place] = found }
    return try found.get()
  }

  /// Every file and link below a folder.
  func files(below folder: String = "/") -> [String] {
    ((try? entries(of: folder)) ?? []).sorted().flatMap { name in
      let path = Self.join(folder, name)
      let isLink = (try? tree.linkTarget(of: path)) != nil
      let isFolder = !isLink && (try? entries(of: path)) != nil
      return isFolder ? files(below: path) : [path]
    }
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }
}

/// A known tree in which one file or link is not there.
///
/// It notes every place that is asked for, links followed, so that a test knows who reads what.
final class HidingFiles: FileTree {
  private let known: KnownTree
  private let hidden: String?
  private let asked = Monitor<Set<String>>([])

  init(_ known: KnownTree, without hidden: String? = nil) {
    self.known = known
    self.hidden = hidden
  }

  /// Every place asked for, links on the way to it included.
  var touched: Set<String> { asked.withLock { $0 } }

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    KnownFile(path: path, bytes: try known.bytes(of: try place(of: path)))
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    let folder = try place(of: path)
    return try known.entries(of: folder).filter { KnownTree.join(folder, $0) != hidden }
  }

  func canonicalPath(of path: String) throws(SystemError) -> String {
    try known.tree.canonicalPath(of: try place(of: path))
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    _ = try place(of: path)
    return try known.tree.linkTarget(of: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    // The side file tells them; 95 is what its absence is.
    let side = "/.gkit/statvfs"
    _ = asked.withLock { $0.insert(side) }
    if side == hidden { throw SystemError(95, at: mountPoint) }
    return try known.tree.statistics(of: mountPoint)
  }

  private func place(of path: String) throws(SystemError) -> String {
    let way = known.way(of: path)
    if let hidden {
      if way.places.contains(hidden) { throw SystemError(2, at: path) }
    } else {
      asked.withLock { $0.formUnion(way.places) }
    }
    return way.end
  }
}

private struct KnownFile: OpenFile {
  let path: String
  let bytes: [UInt8]

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let rest = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: rest)
    return rest.count
  }
}
