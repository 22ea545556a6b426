import Glibc
import Ground

/// The rights of a file.
enum Mode {
  static func of(_ path: String) throws -> mode_t {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemError(errno, at: path) }
    return status.st_mode & 0o777
  }
}
