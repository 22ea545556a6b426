import Glibc
public import Ground

/// Folders for the data of one user.
public enum PrivateFolder {
  /// Makes a folder of mode 0700 and all that are missing above it. The mode of one that exists is
  /// left alone. Throws ENOTDIR when something else is there.
  public static func make(_ path: String) throws(SystemError) {
    if path.utf8.contains(0) { throw SystemError(EINVAL, at: path) }
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR, at: path) }
      return
    }
    var sofar = path.utf8.first == UInt8(ascii: "/") ? "" : "."
    for part in path.split(separator: "/") {
      let above = sofar
      sofar += "/" + part
      if mkdir(sofar, 0o700) == 0 {
        synchronise(above.isEmpty ? "/" : above)
      } else if errno != EEXIST && errno != EROFS {
        throw SystemError(errno, at: sofar)
      }
    }
    guard stat(path, &status) == 0 else { throw SystemError(errno, at: path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR, at: path) }
  }

  /// Makes the names in a folder durable. A folder that cannot be opened or synchronised is
  /// skipped.
  private static func synchronise(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Whether there is a folder at a path.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder for the user's data: `$XDG_DATA_HOME` if it is absolute, else `~/.local/share`.
  /// Throws ENOENT for a user without a home.
  public static func dataHome() throws(SystemError) -> String {
    if let chosen = variable("XDG_DATA_HOME") { return chosen }
    if let home = variable("HOME") ?? registeredHome() { return home + "/.local/share" }
    throw SystemError(ENOENT, at: "$XDG_DATA_HOME")
  }

  private static func variable(_ name: String) -> String? {
    let value = getenv(name).map { String(cString: $0) }
    return value?.utf8.first == UInt8(ascii: "/") ? value : nil
  }

  private static func registeredHome() -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var texts = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(getuid(), &entry, &texts, texts.count, &found) == 0, found != nil,
      let home = entry.pw_dir
    else { return nil }
    return String(cString: home)
  }
}
