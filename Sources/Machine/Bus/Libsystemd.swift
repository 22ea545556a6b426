import CLinux

/// libsystemd's sd-bus, looked up once a process.
public enum Libsystemd {
  private static let loaded = LibraryTable { () throws(MissingLibrary) -> clinux_bus in
    let library = try SharedLibrary("libsystemd.so.0", package: "libsystemd0")
    var table = clinux_bus()
    if let symbol = clinux_bus_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    return table
  }

  /// The file that was loaded. Throws why there is none.
  public static func file() throws(MissingLibrary) -> String {
    _ = try loaded.get()
    return "libsystemd.so.0"
  }

  static func table() throws(MissingLibrary) -> clinux_bus { try loaded.get() }
}
