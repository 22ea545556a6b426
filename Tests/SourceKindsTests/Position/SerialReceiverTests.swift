import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Testing
import Values

@testable import SourceKinds

/// A receiver on a port of its own, `gnss=`: the port is a pseudo-terminal, gpsd the test's.
@Suite(.serialized) struct SerialReceiverTests {
  private let folder: TemporaryFolder
  private let gpsdPort: UInt16

  init() throws {
    folder = try TemporaryFolder()
    gpsdPort = try LoopbackServer.freePort()
  }

  private var device: String { folder.path + "/gnss" }

  private func open() throws -> Context {
    try Context.open(
      "local:gpsd=127.0.0.1:\(gpsdPort)&gnss=\(device)", allow: Allowance(categories: [.location]),
      catalogue: [GPS(), Memory()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  /// Says what a receiver does, again and again, until something is so; whether it is.
  private func talk(_ port: Terminal, until isSo: () -> Bool) -> Bool {
    var second = 0
    return Patience.wait {
      var log = SatelliteLog()
      log.addFix(second: second / 20 % 60)
      if second % 20 == 0 { port.say(log.text) }
      second += 1
      return isSo()
    }
  }

  @Test func `a port that is not there is named, and a start fails`() throws {
    let context = try open()
    let source = try context.open("gps")
    #expect(source.availability.state == .noHardware)
    #expect(source.availability.detail.hasPrefix(device))
    #expect(source.availability.detail.contains("nothing listens"))
    #expect(throws: SourceError.self) { try source.startUpdating() }
    try context.close()
  }

  @Test func `start, stop, vanish and return of a port (L10, L14)`() throws {
    var port: Terminal? = try Terminal()
    try folder.link("/gnss", to: port?.path ?? "")
    let context = try open()
    let source = try context.open("gps")
    #expect(source.availability.state == .available)
    let words = Words(source)
    try source.startUpdating(every: 100_000_000)
    #expect(port.map { talk($0) { sample(source, "fix").payload == .string("3d") } } == true)
    #expect(sample(source, "provider").payload == .string("nmea"))
    #expect(abs((sample(source, "latitude").value.number ?? 0) - 48.1173) < 1e-6)
    #expect(Patience.wait { source.availability.state == .available })
    // The other side is gone, and then its name.
    port = nil
    try folder.remove("/gnss")
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(Patience.wait { sample(source, "latitude").status == .noData })
    #expect(source.isUpdating)
    let second = try Terminal()
    try folder.link("/gnss", to: second.path)
    #expect(talk(second) { sample(source, "fix").payload == .string("3d") })
    #expect(Patience.wait { source.availability.state == .available })
    let told = words.take()
    #expect(told.filter { $0 == "started" }.count == 1 && !told.contains("stopped"))
    try source.stopUpdating()
    #expect(Patience.wait { !second.isOpenElsewhere })
    try source.startUpdating(every: 100_000_000)
    #expect(talk(second) { sample(source, "fix").payload == .string("3d") })
    try context.close()
    #expect(Patience.wait { !second.isOpenElsewhere })
  }

  @Test func `a gpsd that comes takes the port over, and one that hangs delays no caller (T7)`()
    throws
  {
    let port = try Terminal()
    try folder.link("/gnss", to: port.path)
    let context = try open()
    let source = try context.open("gps")
    try source.startUpdating(every: 100_000_000)
    let single = try context.open(
      try #require(try context.sources(of: "gps").last).id.description)
    try single.startUpdating(every: 100_000_000)
    #expect(talk(port) { sample(source, "fix").payload == .string("3d") })
    let memory = try context.open("memory")
    let ticks = Monitor(0)
    let token = memory.addUpdateListener { _ in ticks.withLock { $0 += 1 } }
    try memory.startUpdating(every: 250_000_000)
    // It listens and never says a word.
    let server = try SilentServer(port: gpsdPort)
    let visitor = try #require(server.accept())
    #expect(Patience.wait { !port.isOpenElsewhere })
    let before = ticks.withLock { $0 }
    server.awaitEnd(of: visitor)
    // It was waited for 1.8 s, and not on the thread that samples.
    #expect(ticks.withLock { $0 } - before >= 3)
    // It does not speak, so the port is read again.
    #expect(
      talk(port) {
        sample(source, "provider").payload == .string("nmea")
          && sample(source, "fix").payload == .string("3d")
      })
    #expect(source.isUpdating && single.isUpdating)
    token.end()
    try context.close()
  }

  @Test func `a start beside a gpsd that hangs falls back to the port in time (L2)`() throws {
    let port = try Terminal()
    try folder.link("/gnss", to: port.path)
    let server = try SilentServer(port: gpsdPort)
    let context = try open()
    let source = try context.open("gps")
    let isBounded = try Patience.isSpared { try source.startUpdating(every: 100_000_000) }
    #expect(isBounded)
    #expect(talk(port) { sample(source, "provider").payload == .string("nmea") })
    withExtendedLifetime(server) {}
    try context.close()
  }
}

/// A pseudo-terminal, of which a test is the receiver's side.
private final class Terminal {
  let path: String
  private let ours: Int32

  init() throws {
    ours = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var (lock, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h: unlocks the other side, and numbers it.
    guard ours >= 0, ioctl(ours, 0x4004_5431, &lock) == 0, ioctl(ours, 0x8004_5430, &number) == 0
    else { throw SystemError(errno, at: "/dev/ptmx") }
    path = "/dev/pts/\(number)"
  }

  deinit { close(ours) }

  func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(ours, bytes, bytes.count)
  }

  /// Whether the other side is open: after its last close, this side is hung up.
  var isOpenElsewhere: Bool {
    var asked = pollfd(fd: ours, events: Int16(POLLIN), revents: 0)
    _ = poll(&asked, 1, 0)
    return asked.revents & Int16(POLLHUP) == 0
  }
}

/// A server that takes connections and says nothing.
private final class SilentServer {
  private let listener: Int32

  init(port: UInt16) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        bind(listener, plain, size) != 0 || listen(listener, 8) != 0
      }
    }
    if failed { throw SystemError(errno, at: "127.0.0.1") }
  }

  deinit { close(listener) }

  /// The next who connects; nil if patience ends before.
  func accept() -> Int32? {
    var asked = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, Int32(Patience.limit / 1_000_000)) == 1 else { return nil }
    let visitor = Glibc.accept(listener, nil, nil)
    return visitor < 0 ? nil : visitor
  }

  /// Waits until a visitor has gone.
  func awaitEnd(of visitor: Int32) {
    var asked = pollfd(fd: visitor, events: Int16(POLLIN), revents: 0)
    _ = poll(&asked, 1, Int32(Patience.limit / 1_000_000))
    close(visitor)
  }
}
