import CLinux

/// Texts compressed as gzip(1) does, by libz, which is opened when one is first wanted.
public enum GzipText {
  private static let loaded = LibraryTable { () throws(MissingLibrary) -> clinux_gzip in
    let library = try SharedLibrary("libz.so.1", package: "zlib1g")
    var table = clinux_gzip()
    if let symbol = clinux_gzip_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    return table
  }

  /// A text, compressed fast rather than well. Nil without libz or without memory: the text is then
  /// to be sent as it is.
  public static func compressed(_ text: [UInt8]) -> [UInt8]? {
    guard var table = try? loaded.get() else { return nil }
    let room = clinux_gzip_room(text.count)
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { out, count in
      count = clinux_gzip_text(&table, text, text.count, out.baseAddress, room)
    }
    return bytes.isEmpty ? nil : bytes
  }
}
