import Gathering
import Glibc
import Ground
import Machine

/// A file that is there whole or not at all.
enum WholeFile {
  /// Writes a file aside, which then takes the name. A new one is for its owner only; one that is
  /// replaced leaves its owner and mode to the new one.
  ///
  /// Throws a failure that names the path; what was there before then stays as it was.
  static func write(_ text: [UInt8], to path: String) throws {
    let storage = LiveStorage()
    do throws(SystemError) {
      let file = try aside(of: path, in: storage)
      do throws(SystemError) {
        try file.writeAll(text, at: 0)
        try storage.move(file.path, to: path)
      } catch {
        try? storage.remove(file.path)
        throw error
      }
    } catch {
      throw CommandFailure("cannot write \(path): \(SystemText.message(of: error.code))")
    }
  }

  private static func aside(
    of path: String, in storage: LiveStorage
  ) throws(SystemError) -> any StoredFile {
    do throws(SystemError) {
      return try storage.replacement(of: path)
    } catch {
      guard error.code == ENOENT else { throw error }
      // What a killed process may have left.
      try? storage.remove(path + ".new")
      return try storage.open(path + ".new", for: .creating)
    }
  }
}
