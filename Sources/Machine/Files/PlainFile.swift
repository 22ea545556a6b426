import Glibc

/// Files that are nothing else: no links, folders, or devices.
public enum PlainFile {
  /// The length of a plain file in bytes; nil for anything else.
  public static func size(of path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
