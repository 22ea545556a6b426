import CLinux
import Glibc

/// libiio's functions, looked up once a process and silenced (sources M3).
public enum Libiio {
  private static let loaded: Result<clinux_iio, MissingLibrary> = {
    do throws(MissingLibrary) {
      let library = try SharedLibrary("libiio.so.0", package: "libiio0")
      var table = clinux_iio()
      if let symbol = clinux_iio_bind(&table, library.handle) {
        throw library.missing(String(cString: symbol))
      }
      clinux_silence(library.handle)
      return .success(table)
    } catch {
      return .failure(error)
    }
  }()

  /// The version of the library, as `0.24`. Throws why there is none.
  public static func version() throws(MissingLibrary) -> String {
    var (major, minor) = (UInt32(0), UInt32(0))
    var tag = [CChar](repeating: 0, count: 8)
    try loaded.get().library_get_version(&major, &minor, &tag)
    return "\(major).\(minor)"
  }

  static func table() throws(SystemError) -> clinux_iio {
    switch loaded {
    case .success(let table): return table
    case .failure(let missing): throw missing.systemError
    }
  }
}

/// A snapshot of a machine's IIO devices.
///
/// Not to be used by two threads at once, unless libiio says otherwise.
final class LibiioContext: @unchecked Sendable {
  // Safe: the pointer never changes, and whoever holds the object lets one thread use it at a time.
  let pointer: OpaquePointer
  let iio: clinux_iio

  /// Throws ELIBACC without libiio, ENOENT without devices, ECONNREFUSED … from afar.
  init(uri: String, timeout milliseconds: UInt32) throws(SystemError) {
    iio = try Libiio.table()
    errno = 0
    var made = iio.create_context_from_uri(uri)
    // A device that goes while all are being listed spoils the list: it is made again.
    for _ in 0..<4 where made == nil && uri == "local:" {
      usleep(20_000)
      errno = 0
      made = iio.create_context_from_uri(uri)
    }
    guard let made else {
      // Some versions answer a negative number, and some none.
      throw SystemError(errno == 0 ? ENOENT : abs(errno), at: uri)
    }
    pointer = made
    _ = iio.context_set_timeout(made, milliseconds)
  }

  deinit {
    // A connection is told farewell, even one that has broken.
    try? PipeSignal.withheld { () throws(SystemError) in iio.context_destroy(pointer) }
  }

  var devices: [OpaquePointer] {
    (0..<iio.context_get_devices_count(pointer)).compactMap { iio.context_get_device(pointer, $0) }
  }

  func channels(of device: OpaquePointer) -> [OpaquePointer] {
    (0..<iio.device_get_channels_count(device)).compactMap { iio.device_get_channel(device, $0) }
  }

  /// What the kernel calls a channel: `accel_x`, `rot_from_north_magnetic_tilt_comp`.
  func name(of channel: OpaquePointer) -> String {
    let id = text(iio.channel_get_id(channel))
    let name = text(iio.channel_get_name(channel))
    // libiio takes what follows the known modifiers of a rotation for a channel's own name.
    return name.isEmpty || id.hasSuffix(name) || !id.hasPrefix("rot_") ? id : id + "_" + name
  }

  func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  /// Runs a read of libiio's with room for a whole attribute. Throws its errno.
  func read(
    at place: String, _ ask: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(SystemError) -> [UInt8] {
    var room = [CChar](repeating: 0, count: 4097)
    let length = try PipeSignal.withheld { () throws(SystemError) in
      room.withUnsafeMutableBufferPointer { ask($0.baseAddress, $0.count) }
    }
    guard length >= 0 else { throw SystemError(Int32(clamping: -length), at: place) }
    let bytes = room.prefix(length).map(UInt8.init(bitPattern:))
    return Array(bytes.prefix { $0 != 0 })
  }
}
