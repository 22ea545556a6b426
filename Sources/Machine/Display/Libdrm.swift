import CLinux
import Glibc
import Ground

/// libdrm's functions, looked up once a process.
public enum Libdrm {
  private static let loaded = LibraryTable {
    () throws(MissingLibrary) -> (clinux_display, String) in
    let library = try SharedLibrary("libdrm.so.2", package: "libdrm2")
    var table = clinux_display()
    if let symbol = clinux_display_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    return (table, library.name)
  }

  /// The file that was loaded, since the library does not report its version. Throws why there is
  /// none.
  public static func file() throws(MissingLibrary) -> String { try loaded.get().1 }

  static func table() throws(SystemError) -> clinux_display {
    do throws(MissingLibrary) {
      return try loaded.get().0
    } catch {
      throw error.systemError
    }
  }
}
