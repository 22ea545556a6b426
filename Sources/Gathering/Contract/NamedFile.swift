import Glibc
import Ground
import Machine

/// A file of this computer that a URI names: absolute, or relative to the folder the process is in.
struct NamedFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Its content; a missing file is `notFound`, any other failure `io`.
  func bytes(limit: Int) throws(SourceError) -> ArraySlice<UInt8> {
    do {
      return try PolledFile(place, in: RootedFileTree.live, limit: limit).read()
    } catch {
      throw failure(error)
    }
  }

  /// Throws as `bytes` does if it cannot be opened.
  func check() throws(SourceError) {
    do {
      _ = try RootedFileTree.live.open(place)
    } catch {
      throw failure(error)
    }
  }

  /// The kernel's own name for the folder this process is in goes before a relative path.
  private var place: String {
    path.utf8.starts(with: "/".utf8) ? path : "/proc/self/cwd/" + path
  }

  private func failure(_ error: SystemError) -> SourceError {
    guard error.code == ENOENT || error.code == ENOTDIR else {
      return .io(errno: error.code, place: path)
    }
    return .notFound("\(path): \(SystemText.message(of: error.code))")
  }
}
