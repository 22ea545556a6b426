import CLinux
import Glibc
import Ground

/// libiio's functions, looked up once a process, silenced and bound (sources M3).
public enum Libiio {
  private struct Loaded: @unchecked Sendable {
    // Safe: functions and a library that stay where they are for the process's life.
    let table: clinux_iio
    let library: SharedLibrary
  }

  private static let loaded = LibraryTable { () throws(MissingLibrary) -> Loaded in
    let library = try SharedLibrary("libiio.so.0", package: "libiio0")
    var table = clinux_iio()
    if let symbol = clinux_iio_bind(&table, library.handle) {
      throw library.missing(String(cString: symbol))
    }
    clinux_silence(library.handle)
    // A build that cannot be bound has its own time-outs, for each part of an answer.
    _ = clinux_bound_library(library.handle)
    return Loaded(table: table, library: library)
  }

  /// The version of the library, as `0.24`. Throws why there is none.
  public static func version() throws(MissingLibrary) -> String {
    var (major, minor) = (UInt32(0), UInt32(0))
    var tag = [CChar](repeating: 0, count: 8)
    try loaded.get().table.library_get_version(&major, &minor, &tag)
    return "\(major).\(minor)"
  }

  static func table() throws(SystemError) -> clinux_iio {
    do throws(MissingLibrary) {
      return try loaded.get().table
    } catch {
      throw error.systemError
    }
  }

  /// Runs calls with a limit on time in nanoseconds and on bytes received. Data that a remote
  /// machine sends too late or beyond the limit gives ETIMEDOUT or EMSGSIZE.
  ///
  /// libiio itself applies its timeout to each part of an answer, and accepts answers of any
  /// length.
  static func bounded<Output>(
    within limit: Int64, bytes: Int = .max, at place: String,
    _ body: () throws(SystemError) -> Output
  ) throws(SystemError) -> Output {
    let moment = Monitor<Void>.moment(after: limit)
    let old = clinux_bound(clinux_bounds(moment: moment, bytes: bytes))
    if old.moment < moment || old.bytes < bytes {
      _ = clinux_bound(
        clinux_bounds(moment: min(moment, old.moment), bytes: min(bytes, old.bytes)))
    }
    do throws(SystemError) {
      let answer = try body()
      spend(from: old, leaving: clinux_bound(old), of: bytes)
      return answer
    } catch {
      let left = clinux_bound(old)
      spend(from: old, leaving: left, of: bytes)
      // Whatever libiio returns, the connection can no longer be used.
      if left.bytes == 0 { throw SystemError(EMSGSIZE, at: place) }
      if Monitor<Void>.moment(after: 0) >= left.moment { throw SystemError(ETIMEDOUT, at: place) }
      throw error
    }
  }

  /// Counts the bytes received inside of other bounds.
  private static func spend(from old: clinux_bounds, leaving left: clinux_bounds, of bytes: Int) {
    guard old.bytes != .max else { return }
    let spent = min(bytes, old.bytes) - left.bytes
    _ = clinux_bound(clinux_bounds(moment: old.moment, bytes: old.bytes - spent))
  }

  /// Runs calls with the messages of libxml2 about the text it parses switched off.
  static func withoutComplaints<Output>(_ body: () -> Output) -> Output {
    guard let loaded = try? loaded.get() else { return body() }
    clinux_silence_xml(loaded.library.handle, true)
    defer { clinux_silence_xml(loaded.library.handle, false) }
    return body()
  }
}

/// A snapshot of a machine's IIO devices.
///
/// Must not be used by two threads at once, unless libiio allows it.
final class LibiioContext: @unchecked Sendable {
  // Safe: the pointer never changes, and the owner of the object lets one thread use it at a time.
  let pointer: OpaquePointer
  let iio: clinux_iio

  /// The longest description of a remote machine's devices that is read.
  static let descriptionLimit = 8 << 20

  /// Throws ELIBACC without libiio, ENOENT without devices, ECONNREFUSED … from a remote machine;
  /// ETIMEDOUT if it takes longer than `limit` nanoseconds, EMSGSIZE for a description beyond its
  /// limit.
  init(uri: String, timeout milliseconds: UInt32, within limit: Int64 = .max) throws(SystemError) {
    let iio = try Libiio.table()
    self.iio = iio
    pointer = try Libiio.bounded(within: limit, bytes: Self.descriptionLimit, at: uri) {
      () throws(SystemError) in
      let made = try Libiio.withoutComplaints { Self.make(uri, iio) }.get()
      _ = iio.context_set_timeout(made, milliseconds)
      return made
    }
  }

  private static func make(
    _ uri: String, _ iio: clinux_iio
  ) -> Result<OpaquePointer, SystemError> {
    errno = 0
    var made = iio.create_context_from_uri(uri)
    // A device that is removed while all are listed spoils the list: it is made again.
    for _ in 0..<4 where made == nil && uri == "local:" {
      usleep(20_000)
      errno = 0
      made = iio.create_context_from_uri(uri)
    }
    if let made { return .success(made) }
    // Some versions answer a negative number, and some none.
    return .failure(SystemError(errno == 0 ? ENOENT : abs(errno), at: uri))
  }

  deinit {
    // A connection is closed properly, even a broken one.
    try? Libiio.bounded(within: 1_000_000_000, at: "") { () throws(SystemError) in
      try PipeSignal.withheld { () throws(SystemError) in iio.context_destroy(pointer) }
    }
  }

  var devices: [OpaquePointer] {
    (0..<iio.context_get_devices_count(pointer)).compactMap { iio.context_get_device(pointer, $0) }
  }

  func channels(of device: OpaquePointer) -> [OpaquePointer] {
    (0..<iio.device_get_channels_count(device)).compactMap { iio.device_get_channel(device, $0) }
  }

  /// The kernel's name of a channel: `accel_x`, `rot_from_north_magnetic_tilt_comp`.
  func name(of channel: OpaquePointer) -> String {
    let id = text(iio.channel_get_id(channel))
    let name = text(iio.channel_get_name(channel))
    // libiio takes the text after the known modifiers of a rotation for a name of the channel.
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
