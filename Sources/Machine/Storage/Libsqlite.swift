import CLinux
import Glibc

/// libsqlite3's functions, looked up once a process.
public enum Libsqlite {
  private static let loaded = LibraryTable { () throws(MissingLibrary) -> clinux_database in
    let library = try SharedLibrary("libsqlite3.so.0", package: "libsqlite3-0")
    var table = clinux_database()
    if let symbol = clinux_database_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    // Connections are used from several threads, though never at once.
    guard table.threadsafe() != 0 else {
      throw MissingLibrary(
        library: library.name, reason: "\(library.name) was built without threads",
        package: "libsqlite3-0")
    }
    return table
  }

  /// The version of the library, as `3.40.1`. Throws why there is none.
  public static func version() throws(MissingLibrary) -> String {
    try table().libversion().map { String(cString: $0) } ?? ""
  }

  static func table() throws(MissingLibrary) -> clinux_database {
    try loaded.get()
  }
}
