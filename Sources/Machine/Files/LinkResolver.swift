import Glibc
import Ground

/// Follows the symbolic links of a captured tree, inside it (sources C3).
///
/// An absolute link starts again at the tree's root; one that climbs out of the root leads
/// nowhere. As on Linux, 40 links are the most that one path may have.
struct LinkResolver: Sendable {
  /// The tree's folder, without a final slash.
  let root: String

  struct ResolvedPath {
    /// The path from the root, starting with a slash; `/` for the root.
    var path: String
    /// The file type bits of `st_mode`.
    var type: mode_t
    /// Whether this computer, which follows absolute links and `/proc/self` to elsewhere, comes to
    /// the same place.
    var isPlain: Bool
  }

  /// The target of a path. Throws ENOENT, ENOTDIR, ELOOP and the errors of lstat(2).
  func resolve(_ path: String, followingLast: Bool = true) throws(SystemError) -> ResolvedPath {
    try RootedFileTree.check(path)
    var walk = Walk(root: root, path: path)
    walk.push(path)
    while let component = walk.pending.popLast() {
      try walk.step(to: component, mayFollow: followingLast || !walk.pending.isEmpty)
    }
    return ResolvedPath(
      path: walk.done.isEmpty ? "/" : walk.donePath, type: walk.type, isPlain: walk.isPlain)
  }

  /// readlink(2) with as large a buffer as the text needs; `path` is the name in errors.
  static func readLink(_ host: String, at path: String) throws(SystemError) -> String {
    var text = [CChar](repeating: 0, count: 256)
    while true {
      let length = readlink(host, &text, text.count)
      guard length >= 0 else { throw SystemError(errno, at: path) }
      if length < text.count {
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
      text.append(contentsOf: repeatElement(0, count: text.count))
    }
  }
}

/// One walk from the root: the components resolved, and those still to resolve, last first.
private struct Walk {
  let root: String
  let path: String
  var done: [String] = []
  var pending: [String] = []
  var type: mode_t = S_IFDIR
  var linksLeft = 40
  var isPlain = true

  init(root: String, path: String) {
    self.root = root
    self.path = path
  }

  var donePath: String { done.reduce(into: "") { $0 += "/" + $1 } }

  mutating func push(_ path: String) {
    // A final slash requires a folder, like a final dot.
    if path.utf8.last == UInt8(ascii: "/") { pending.append(".") }
    for part in path.split(separator: "/").reversed() { pending.append(String(part)) }
  }

  mutating func step(to name: String, mayFollow: Bool) throws(SystemError) {
    guard type == S_IFDIR else { throw SystemError(ENOTDIR, at: path) }
    if name == "." { return }
    if name == ".." {
      if done.popLast() == nil { throw SystemError(ENOENT, at: path) }
      return
    }
    let (name, next) = try status(of: name)
    if next == S_IFLNK && mayFollow {
      try follow(name)
    } else {
      done.append(name)
      type = next
    }
  }

  private mutating func follow(_ name: String) throws(SystemError) {
    guard linksLeft > 0 else { throw SystemError(ELOOP, at: path) }
    linksLeft -= 1
    let target = try LinkResolver.readLink(root + donePath + "/" + name, at: path)
    if target.isEmpty { throw SystemError(ENOENT, at: path) }
    if target.utf8.first == UInt8(ascii: "/") {
      done = []
      isPlain = false
    }
    push(target)
  }

  /// The type of an entry of the present folder; a missing `/proc/self` is `/proc/1`.
  private mutating func status(of name: String) throws(SystemError) -> (String, mode_t) {
    if done == ["proc"] && name == "self" {
      isPlain = false
      if !hasSelf { return ("1", try type(of: "1")) }
    }
    return (name, try type(of: name))
  }

  /// Whether `/proc/self` is a folder or a link to a process that was captured as well.
  private var hasSelf: Bool {
    var status = stat()
    let host = root + "/proc/self"
    guard lstat(host, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFLNK else { return true }
    guard let target = try? LinkResolver.readLink(host, at: path),
      target.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return true }
    return lstat(root + "/proc/" + target, &status) == 0
  }

  private func type(of name: String) throws(SystemError) -> mode_t {
    var status = stat()
    guard lstat(root + donePath + "/" + name, &status) == 0 else {
      throw SystemError(errno, at: path)
    }
    return status.st_mode & S_IFMT
  }
}
