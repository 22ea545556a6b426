import GatheredKitTesting
import Glibc
import Ground
import Machine

/// An iiod of our own on loopback, whose devices umockdev pretends (catalogue 3.5).
final class Iiod {
  let port: UInt16
  private let folder: TemporaryFolder
  private var child: pid_t = 0

  static var isInstalled: Bool {
    access("/usr/sbin/iiod", X_OK) == 0 && access("/usr/bin/umockdev-run", X_OK) == 0
  }

  /// Whether umockdev answers for the files of this process.
  static var isPretended: Bool {
    let maps = PolledFile("/proc/self/maps", in: RootedFileTree.live, limit: 1 << 24)
    let text = (try? maps.read()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.contains("libumockdev-preload")
  }

  init() throws {
    folder = try TemporaryFolder()
    port = try Self.freePort()
    try folder.write(Array((Self.device(rates: "100")).utf8), to: "/devices")
  }

  deinit {
    stop()
  }

  /// A device of two axes as umockdev describes it, with a hundred records.
  static func device(rates: String) -> String {
    let attributes = [
      ("name", "bmi160"), ("in_accel_x_raw", "17"), ("in_accel_y_raw", "18"),
      ("in_accel_scale", "0.5"), ("sampling_frequency", "100"), ("buffer/enable", "0"),
      ("buffer/length", "2"), ("buffer/watermark", "1"), ("sampling_frequency_available", rates),
      ("scan_elements/in_accel_x_en", "0"),
      ("scan_elements/in_accel_x_index", "0"), ("scan_elements/in_accel_x_type", "le:s16/16>>0"),
      ("scan_elements/in_accel_y_en", "0"), ("scan_elements/in_accel_y_index", "1"),
      ("scan_elements/in_accel_y_type", "le:s16/16>>0"),
    ]
    var text = "P: /devices/bmi160/iio:device0\nN: iio:device0="
    for value in 0..<100 as Range<Int16> {
      for axis in [value, -value] {
        for byte in withUnsafeBytes(of: axis.littleEndian, Array.init) {
          text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    text += "\nE: DEVNAME=/dev/iio:device0\nE: SUBSYSTEM=iio\nE: DEVTYPE=iio_device\n"
    for (name, value) in attributes { text += "A: \(name)=\(value)\\n\n" }
    return text + "\n"
  }

  /// Starts the server and waits until it serves.
  func start(until serves: () -> Bool) throws {
    let words = ["umockdev-run", "-d", folder.path + "/devices", "--", "/usr/sbin/iiod", "-p"]
    var arguments = (words + ["\(port)"]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // A group of its own: umockdev's child is ended with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let failure = posix_spawnp(&child, "umockdev-run", nil, &attributes, &arguments, environ)
    posix_spawnattr_destroy(&attributes)
    guard failure == 0 else { throw SystemError(failure, at: "umockdev-run") }
    Patience.wait(serves)
  }

  func stop() {
    guard child > 0 else { return }
    kill(-child, SIGKILL)
    waitpid(child, nil, 0)
    child = 0
  }

  private static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(number, plain, size) != 0 || getsockname(number, plain, &size) != 0
      }
    }
    guard !failed else { throw SystemError(errno, at: "127.0.0.1") }
    return UInt16(bigEndian: address.sin_port)
  }
}
