import CLinux

/// libsecret's functions, and the functions of GLib used with it, looked up once per process.
public enum Libsecret {
  private static let loaded = LibraryTable {
    () throws(MissingLibrary) -> (clinux_secrets, String) in
    // It loads GLib, whose functions are found through the same handle.
    let library = try SharedLibrary("libsecret-1.so.0", package: "libsecret-1-0")
    var table = clinux_secrets()
    if let symbol = clinux_secrets_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    return (table, library.name)
  }

  /// The file that was loaded, since the library does not report its version. Throws why there is
  /// none.
  public static func file() throws(MissingLibrary) -> String { try loaded.get().1 }

  static func table() throws(MissingLibrary) -> clinux_secrets { try loaded.get().0 }
}
