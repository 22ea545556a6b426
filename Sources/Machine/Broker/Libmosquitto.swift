import CLinux
import Ground

/// libmosquitto's functions, looked up once a process (sources M1). The library is made ready once
/// and never taken down: its threads and handles of others may outlive us.
public enum Libmosquitto {
  private static let loaded = LibraryTable { () throws(MissingLibrary) -> clinux_broker in
    let library = try SharedLibrary("libmosquitto.so.1", package: package)
    var table = clinux_broker()
    if let symbol = clinux_broker_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    let version = versionNumbers(of: table)
    guard version.major >= 2 else {
      throw MissingLibrary(
        library: library.name,
        reason: "libmosquitto \(version.major).\(version.minor) is older than 2.0",
        package: package)
    }
    guard clinux_broker_init(&table) == 0 else {
      throw MissingLibrary(
        library: library.name, reason: "libmosquitto cannot be made ready", package: package)
    }
    return table
  }

  private static let package = "libmosquitto1"

  /// The version of the library, as `2.0.11`. Throws why there is none.
  public static func version() throws(MissingLibrary) -> String {
    let version = versionNumbers(of: try loaded.get())
    return "\(version.major).\(version.minor).\(version.revision)"
  }

  static func table() throws(MissingLibrary) -> clinux_broker { try loaded.get() }

  /// Whether what TLS brings can be looked at before libmosquitto reads it.
  static func seesTLS(_ table: clinux_broker) -> Bool {
    var table = table
    return clinux_broker_sees_tls(&table)
  }

  /// The error of one where it cannot.
  static var blind: MissingLibrary {
    MissingLibrary(
      library: "libmosquitto.so.1", reason: "libmosquitto.so.1 has no TLS that can be looked into",
      package: package)
  }

  /// Makes a client. One after the other, since what the library does to SIGPIPE is undone.
  static func client(
    _ table: clinux_broker, id: String, owner: UnsafeMutableRawPointer
  ) -> OpaquePointer? {
    var table = table
    return making.withLock { _ in clinux_broker_create(&table, id, owner) }
  }

  private static let making = Lock(())

  private static func versionNumbers(
    of table: clinux_broker
  ) -> (major: Int32, minor: Int32, revision: Int32) {
    var (major, minor, revision) = (Int32(), Int32(), Int32())
    _ = table.lib_version(&major, &minor, &revision)
    return (major, minor, revision)
  }
}
