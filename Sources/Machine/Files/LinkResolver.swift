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
    while try walk.step(followingLast: followingLast) {}
    return ResolvedPath(path: walk.donePath, type: walk.type, isPlain: walk.isPlain)
  }

  /// readlink(2) with as large a buffer as the text needs; `path` is the name in errors.
  static func readLink(_ host: String, at path: String) throws(SystemError) -> String {
    let bytes = try target(of: Array(host.utf8CString), at: path)
    return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The same of and as bytes; `host` has a NUL behind it.
  fileprivate static func target(
    of host: [CChar], at path: String
  ) throws(SystemError) -> [CChar] {
    var text = [CChar](repeating: 0, count: 256)
    while true {
      let length = readlink(host, &text, text.count)
      guard length >= 0 else { throw SystemError(errno, at: path) }
      if length < text.count { return Array(text[..<length]) }
      text.append(contentsOf: repeatElement(0, count: text.count))
    }
  }
}

/// One walk from the root, over bytes, as lstat(2) takes them.
private struct Walk {
  private static let slash = CChar(bitPattern: UInt8(ascii: "/"))
  private static let dot = CChar(bitPattern: UInt8(ascii: "."))

  let root: String
  let path: String
  private(set) var type: mode_t = S_IFDIR
  private(set) var isPlain = true
  private var linksLeft = 40
  /// The root and the components resolved, each behind a slash.
  private var host: [CChar]
  private let rootCount: Int
  /// What is still to be resolved: the bytes from `place` on.
  private var rest: [CChar]
  private var place = 0

  init(root: String, path: String) {
    self.root = root
    self.path = path
    host = []
    host.reserveCapacity(root.utf8.count + path.utf8.count + 64)
    for byte in root.utf8 { host.append(CChar(bitPattern: byte)) }
    rootCount = host.count
    rest = path.utf8.map { CChar(bitPattern: $0) }
  }

  /// What is resolved, as seen from the root.
  var donePath: String {
    if host.count == rootCount { return "/" }
    return String(decoding: host[rootCount...].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Resolves the next component; false if there is none.
  mutating func step(followingLast: Bool) throws(SystemError) -> Bool {
    let hasSlash = place < rest.count
    while place < rest.count, rest[place] == Self.slash { place += 1 }
    if place == rest.count {
      // A final slash requires a folder, like a final dot.
      if hasSlash && type != S_IFDIR { throw SystemError(ENOTDIR, at: path) }
      return false
    }
    guard type == S_IFDIR else { throw SystemError(ENOTDIR, at: path) }
    let start = place
    while place < rest.count, rest[place] != Self.slash { place += 1 }
    let name = rest[start..<place]
    if name.allSatisfy({ $0 == Self.dot }), name.count <= 2 {
      if name.count == 2 { try goUp() }
      return true
    }
    try enter(name, mayFollow: followingLast || place < rest.count)
    return true
  }

  private mutating func goUp() throws(SystemError) {
    guard host.count > rootCount, let slash = host.lastIndex(of: Self.slash) else {
      throw SystemError(ENOENT, at: path)
    }
    host.removeSubrange(slash...)
  }

  private mutating func enter(
    _ name: ArraySlice<CChar>, mayFollow: Bool
  ) throws(SystemError) {
    let former = host.count
    // A missing `/proc/self` is `/proc/1`.
    let isSelf = Self.is(name, "self") && Self.is(host[rootCount...], "/proc")
    if isSelf { isPlain = false }
    host.append(Self.slash)
    if isSelf && !hasSelf {
      host.append(CChar(bitPattern: UInt8(ascii: "1")))
    } else {
      host.append(contentsOf: name)
    }
    host.append(0)
    var status = stat()
    guard lstat(host, &status) == 0 else { throw SystemError(errno, at: path) }
    let next = status.st_mode & S_IFMT
    if next == S_IFLNK && mayFollow {
      try follow(from: former)
    } else {
      host.removeLast()
      type = next
    }
  }

  /// Puts the target of the link `host` in front of what is still to be resolved.
  private mutating func follow(from folder: Int) throws(SystemError) {
    guard linksLeft > 0 else { throw SystemError(ELOOP, at: path) }
    linksLeft -= 1
    let target = try LinkResolver.target(of: host, at: path)
    if target.isEmpty { throw SystemError(ENOENT, at: path) }
    host.removeSubrange(folder...)
    if target.first == Self.slash {
      host.removeSubrange(rootCount...)
      isPlain = false
    }
    rest = target + rest[place...]
    place = 0
  }

  private static func `is`(_ bytes: ArraySlice<CChar>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { bytes.elementsEqual($0.lazy.map(CChar.init(bitPattern:))) }
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
}
