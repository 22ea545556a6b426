import Glibc
import Ground

/// Follows the symbolic links of a captured tree, inside it (sources C3).
///
/// An absolute link starts again at the tree's root; one that climbs out of the root leads
/// nowhere. As on Linux, 40 links are the most that one path may have.
struct LinkResolver: Sendable {
  /// The tree's folder, without a final slash.
  let root: String
  /// The walk whose room the next one uses; another at the same time makes its own.
  private let walk: Claimed<Walk>
  /// Where what the walks find is noted, while one wants to know it.
  let looks = LookRecorder()

  init(root: String) {
    self.root = root
    walk = Claimed(Walk(root: root, looks: looks))
  }

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
    let found = try walk.withClaim { (walk) throws(SystemError) in
      try walk.go(path, followingLast: followingLast)
    }
    if let found { return found }
    var own = Walk(root: root, looks: looks)
    return try own.go(path, followingLast: followingLast)
  }

  /// readlink(2) with as large a buffer as the text needs; `path` is the name in errors.
  static func readLink(_ host: String, at path: String) throws(SystemError) -> String {
    var bytes: [CChar] = []
    let count = try readTarget(of: host, into: &bytes, at: path)
    return String(decoding: bytes[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The same as bytes, the first of a buffer: how many. `host` has a NUL behind it.
  fileprivate static func readTarget(
    of host: UnsafePointer<CChar>, into text: inout [CChar], at path: String
  ) throws(SystemError) -> Int {
    if text.isEmpty { text = [CChar](repeating: 0, count: 256) }
    while true {
      let length = readlink(host, &text, text.count)
      guard length >= 0 else { throw SystemError(errno, at: path) }
      if length < text.count { return length }
      text.append(contentsOf: repeatElement(0, count: text.count))
    }
  }
}

/// A walk from the root, over bytes, as lstat(2) takes them. Its room is used again for the next.
private struct Walk {
  private static let slash = CChar(bitPattern: UInt8(ascii: "/"))
  private static let dot = CChar(bitPattern: UInt8(ascii: "."))

  private let root: String
  private let looks: LookRecorder
  private var path = ""
  private var type: mode_t = S_IFDIR
  private var isPlain = true
  private var linksLeft = 40
  /// The root and the components resolved, each behind a slash.
  private var host: [CChar]
  private let rootCount: Int
  /// What is still to be resolved: the bytes from `place` on.
  private var rest: [CChar] = []
  private var place = 0
  /// The text of the link read last.
  private var target: [CChar] = []

  init(root: String, looks: LookRecorder) {
    self.root = root
    self.looks = looks
    host = root.utf8.map { CChar(bitPattern: $0) }
    rootCount = host.count
  }

  /// Walks to a path.
  mutating func go(
    _ path: String, followingLast: Bool
  ) throws(SystemError) -> LinkResolver.ResolvedPath {
    self.path = path
    (type, isPlain, linksLeft, place) = (S_IFDIR, true, 40, 0)
    host.removeSubrange(rootCount...)
    rest.removeAll(keepingCapacity: true)
    for byte in path.utf8 { rest.append(CChar(bitPattern: byte)) }
    while try step(followingLast: followingLast) {}
    // The folders on the way need not be noted: what is in them is found again through them.
    if looks.isActive { looks.note(host.isEmpty ? [Self.slash, 0] : host + [0]) }
    return LinkResolver.ResolvedPath(path: donePath, type: type, isPlain: isPlain)
  }

  /// What is resolved, as seen from the root.
  private var donePath: String {
    if host.count == rootCount { return "/" }
    return String(decoding: host[rootCount...].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Resolves the next component; false if there is none.
  private mutating func step(followingLast: Bool) throws(SystemError) -> Bool {
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
    let name = start..<place
    if name.count <= 2, rest[name].allSatisfy({ $0 == Self.dot }) {
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

  /// Goes to what has a name, which is a part of `rest`.
  private mutating func enter(_ name: Range<Int>, mayFollow: Bool) throws(SystemError) {
    let former = host.count
    // A missing `/proc/self` is `/proc/1`.
    let isSelf = Self.is(rest[name], "self") && Self.is(host[rootCount...], "/proc")
    let isOther = isSelf && !hasSelf
    if isOther { isPlain = false }
    host.append(Self.slash)
    if isOther {
      host.append(CChar(bitPattern: UInt8(ascii: "1")))
    } else {
      for index in name { host.append(rest[index]) }
    }
    host.append(0)
    var status = stat()
    let code = lstat(host, &status) == 0 ? 0 : errno
    let next = status.st_mode & S_IFMT
    if code != 0 || next == S_IFLNK, looks.isActive { looks.note(host) }
    if code != 0 { throw SystemError(code, at: path) }
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
    let count = try LinkResolver.readTarget(of: host, into: &target, at: path)
    if count == 0 { throw SystemError(ENOENT, at: path) }
    host.removeSubrange(folder...)
    if target[0] == Self.slash {
      host.removeSubrange(rootCount...)
      isPlain = false
    }
    rest.replaceSubrange(..<place, with: target[..<count])
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
    if looks.isActive { looks.note(Array(host.utf8CString)) }
    guard lstat(host, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFLNK else { return true }
    guard let target = try? LinkResolver.readLink(host, at: path),
      target.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return true }
    let process = root + "/proc/" + target
    if looks.isActive { looks.note(Array(process.utf8CString)) }
    return lstat(process, &status) == 0
  }
}
