import CLinux
import Glibc
import Ground

/// libasound's functions, looked up once a process.
///
/// Its error messages are kept off standard error for each thread; the handler of the process
/// belongs to the host (sources M3).
public enum Libasound {
  private static let loaded = LibraryTable { () throws(MissingLibrary) -> clinux_sound in
    let library = try SharedLibrary("libasound.so.2", package: "libasound2")
    var table = clinux_sound()
    if let symbol = clinux_sound_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    return table
  }

  /// The version of the library, as `1.2.8`. Throws why there is none.
  public static func version() throws(MissingLibrary) -> String {
    try loaded.get().asoundlib_version().map { String(cString: $0) } ?? ""
  }

  static func table() throws(SystemError) -> clinux_sound {
    do throws(MissingLibrary) {
      return try loaded.get()
    } catch {
      throw error.systemError
    }
  }
}
