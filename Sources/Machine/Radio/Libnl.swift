import CLinux

/// The functions of libnl-3 and libnl-genl-3, looked up once a process.
public enum Libnl {
  private static let loaded = LibraryTable { () throws(MissingLibrary) -> clinux_nl in
    // It loads libnl-3, whose functions are found through the same handle.
    let library = try SharedLibrary("libnl-genl-3.so.200", package: "libnl-genl-3-200")
    var table = clinux_nl()
    if let symbol = clinux_nl_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    return table
  }

  /// The version of the library, as `3.7.0`. Throws why there is none.
  public static func version() throws(MissingLibrary) -> String {
    let (major, minor, micro) = try table().version
    return "\(major).\(minor).\(micro)"
  }

  static func table() throws(MissingLibrary) -> clinux_nl {
    try loaded.get()
  }
}
