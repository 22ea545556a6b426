import Glibc
public import Ground
import Machine

/// A folder for one test, removed with all it holds when its last reference goes.
public final class TemporaryFolder: Sendable {
  /// Where it is on this computer.
  public let path: String

  /// An empty folder. Throws what mkdtemp(3) says.
  public init() throws(SystemError) {
    var template = Array("/tmp/gatheredkit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(errno, at: "/tmp") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    try? remove("")
  }

  /// Writes a file's content in place of any before, making the folders above it.
  public func write(_ content: [UInt8], to inner: String) throws(SystemError) {
    try makeFolders(above: inner)
    let file = open(path + inner, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemError(errno, at: inner) }
    defer { close(file) }
    guard Glibc.write(file, content, content.count) == content.count else {
      throw SystemError(errno, at: inner)
    }
  }

  /// Makes a folder and those above it; one that is there already stays as it is.
  public func makeFolder(_ inner: String) throws(SystemError) {
    try makeFolders(above: inner + "/.")
  }

  /// Makes a symbolic link with any text, in place of any before.
  public func link(_ inner: String, to target: String) throws(SystemError) {
    try makeFolders(above: inner)
    unlink(path + inner)
    guard symlink(target, path + inner) == 0 else { throw SystemError(errno, at: inner) }
  }

  /// Makes a named pipe.
  public func makePipe(_ inner: String) throws(SystemError) {
    try makeFolders(above: inner)
    guard mkfifo(path + inner, 0o644) == 0 else { throw SystemError(errno, at: inner) }
  }

  /// Removes a file, a link or a folder with all it holds; an empty path means the whole.
  public func remove(_ inner: String) throws(SystemError) {
    try Self.removeAll(path + inner)
  }

  private static func removeAll(_ place: String) throws(SystemError) {
    if unlink(place) == 0 { return }
    guard errno == EISDIR else { throw SystemError(errno, at: place) }
    for name in try RootedFileTree.live.entries(of: place) { try removeAll(place + "/" + name) }
    guard rmdir(place) == 0 else { throw SystemError(errno, at: place) }
  }

  private func makeFolders(above inner: String) throws(SystemError) {
    var sofar = path
    for part in inner.split(separator: "/").dropLast() {
      sofar += "/" + part
      guard mkdir(sofar, 0o755) == 0 || errno == EEXIST else { throw SystemError(errno, at: sofar) }
    }
  }
}
