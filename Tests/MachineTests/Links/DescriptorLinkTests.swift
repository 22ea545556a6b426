import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

@Suite struct DescriptorLinkTests {
  /// Opens a link and notes what happens on it; `answer` is what is answered to a line.
  private func open(
    _ link: DescriptorLink, _ log: LineLog,
    _ answer: @escaping @Sendable (LineEvent) -> LineResponse = { _ in LineResponse() }
  ) -> any LineConnection {
    link.open { event in
      switch event {
      case .opened: log.add("opened")
      case .line(let line): log.add(String(decoding: line.prefix(40), as: UTF8.self))
      case .silence: log.add("silence")
      case .called: log.add("called")
      case .closed(let error): log.add("closed \(error.code)")
      }
      return answer(event)
    }
  }

  private func link(to server: LoopbackServer) -> DescriptorLink {
    DescriptorLink(to: ServiceAddress(host: "127.0.0.1", port: server.port))
  }

  @Test func `lines come in, answers go out`() throws {
    let server = try LoopbackServer(.says(["one\r\ntw", "o\n"], apart: 20_000))
    let log = LineLog()
    let connection = open(link(to: server), log) { event in
      LineResponse(send: event == .line(Array("two".utf8)) ? Array("thanks\n".utf8) : [])
    }
    #expect(log.wait(for: 3) == ["opened", "one", "two"])
    #expect(Patience.wait { server.received == "thanks\n" })
    connection.cancel()
  }

  @Test func `an owner calls, and can then send; without a connection nothing happens`() throws {
    let server = try LoopbackServer(.says([]))
    let log = LineLog()
    let connection = open(link(to: server), log) { event in
      LineResponse(send: event == .called ? Array("hello\n".utf8) : [])
    }
    #expect(log.wait(for: 1) == ["opened"])
    connection.call()
    #expect(log.wait(for: 2) == ["opened", "called"])
    #expect(Patience.wait { server.received == "hello\n" })
    connection.cancel()
    connection.call()
    let port = try LoopbackServer.freePort()
    let none = LineLog()
    let refused = open(DescriptorLink(to: ServiceAddress(host: "127.0.0.1", port: port)), none)
    refused.call()
    #expect(none.wait(for: 2).prefix(2) == ["closed \(ECONNREFUSED)", "closed \(ECONNREFUSED)"])
    refused.cancel()
  }

  @Test func `upsd is told of the end, and its lines have 1024 bytes at most`() throws {
    let long = String(repeating: "x", count: 1024)
    let server = try LoopbackServer(.says([long + "y\n", long + "\n", "last\n"]))
    let address = ServiceAddress(host: "127.0.0.1", port: server.port)
    let log = LineLog()
    let connection = open(DescriptorLink(toUpsd: address), log)
    #expect(log.wait(for: 3) == ["opened", String(long.prefix(40)), "last"])
    #expect(server.received == "")
    connection.cancel()
    #expect(Patience.wait { server.received == "LOGOUT\n" })
  }

  @Test func `a port without a listener is refused, and tried again after 1 s (H4)`() throws {
    let port = try LoopbackServer.freePort()
    let log = LineLog()
    let begin = LiveTime.boot
    let connection = open(
      DescriptorLink(to: ServiceAddress(host: "127.0.0.1", port: port)), log)
    #expect(log.wait(for: 2).prefix(2) == ["closed \(ECONNREFUSED)", "closed \(ECONNREFUSED)"])
    #expect(LiveTime.boot - begin >= 1_000_000_000)
    connection.cancel()
  }

  @Test func `delays double up to 30 s, and begin anew`() {
    var delays = RetryDelays()
    let seconds = (0..<7).map { _ in delays.next() / 1_000_000_000 }
    #expect(seconds == [1, 2, 4, 8, 16, 30, 30])
  }

  @Test func `silence is told when it was asked for, lines that never end or not`() throws {
    let server = try LoopbackServer(.repeats("no line feed"))
    let log = LineLog()
    let connection = open(link(to: server), log) { event in
      event == .silence ? LineResponse(hangUp: ETIMEDOUT) : LineResponse(patience: 50_000_000)
    }
    #expect(log.wait(for: 3).prefix(3) == ["opened", "silence", "closed \(ETIMEDOUT)"])
    connection.cancel()
  }

  @Test func `a connection that is lost is made again at once when it was a good one`() throws {
    let server = try LoopbackServer(.closes(after: "hello\n"))
    let log = LineLog()
    let connection = open(link(to: server), log) { event in
      LineResponse(isGood: event == .line(Array("hello".utf8)))
    }
    let round = ["opened", "hello", "closed \(ENOTCONN)"]
    #expect(Array(log.wait(for: 6).prefix(6)) == round + round)
    connection.cancel()
    let count = log.lines.count
    usleep(1_300_000)
    #expect(log.lines.count == count)
  }

  @Test func `a device is read as it comes, and a missing one says so`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/receiver"
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Glibc.open(path, O_RDWR)
    defer { close(writer) }
    let log = LineLog()
    let connection = open(DescriptorLink(device: path), log)
    #expect(log.wait(for: 1) == ["opened"])
    #expect(write(writer, "$GP\r\n", 5) == 5)
    #expect(log.wait(for: 2) == ["opened", "$GP"])
    connection.cancel()
    let other = LineLog()
    let missing = open(DescriptorLink(device: folder.path + "/none"), other)
    #expect(other.wait(for: 1).first == "closed \(ENOENT)")
    missing.cancel()
  }

  @Test func `a terminal is kept from echoing, and put back as it was (P5)`() throws {
    let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(master) }
    var (locked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN: unlock the other end, and tell its number.
    try #require(ioctl(master, 0x4004_5431, &locked) == 0)
    try #require(ioctl(master, 0x8004_5430, &number) == 0)
    let path = "/dev/pts/\(number)"
    let keeper = Glibc.open(path, O_RDWR | O_NOCTTY)
    defer { close(keeper) }
    func echoes() -> Bool {
      var settings = termios()
      tcgetattr(keeper, &settings)
      return settings.c_lflag & tcflag_t(ECHO) != 0
    }
    #expect(echoes())
    let log = LineLog()
    let connection = open(DescriptorLink(device: path), log)
    #expect(log.wait(for: 1) == ["opened"])
    #expect(!echoes())
    #expect(write(master, "$GP\n", 4) == 4)
    #expect(log.wait(for: 2) == ["opened", "$GP"])
    connection.cancel()
    #expect(Patience.wait { echoes() })
  }
}
