import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// Brokers that speak otherwise than they should, or not at all.
@Suite(.enabled(if: (try? Libmosquitto.version()) != nil, "libmosquitto1 is not installed"))
struct HostileBrokerTests {
  private static let connect = FakeBroker.Step.hear(0x10)
  private static let accept = FakeBroker.Step.say([0x20, 3, 0, 0, 0])

  private static func session(
    _ broker: FakeBroker, _ version: BrokerVersion? = nil
  ) throws -> BrokerSession {
    var address = BrokerAddress(host: "127.0.0.1", port: broker.port)
    address.version = version
    return try BrokerSession(
      address, of: broker, id: "long name of a client", shortID: "short")
  }

  @Test(arguments: [[0x20, 2, 0, 1], [0x20, 3, 0, 0x84, 0]] as [[UInt8]])
  func `F9 a broker that does not speak 5 is asked for 3_1_1, and is remembered`(
    refusal: [UInt8]
  ) throws {
    let broker = try FakeBroker(
      [Self.connect, .say(refusal), .close], [Self.connect, .say([0x20, 2, 0, 0]), .close],
      [Self.connect, .say([0x20, 2, 0, 0])])
    let session = try Self.session(broker)
    #expect(session.listener.waitForLimits()?.version == .v311)
    #expect(session.listener.wait(times: 2, for: \.isConnected))
    // The byte behind the protocol's name, and the id, which may be short then.
    #expect(broker.firstWords.map { $0[8] } == [5, 4, 4])
    #expect(broker.firstWords[0].contains(Array("long name".utf8)))
    #expect(broker.firstWords[1].contains(Array("short".utf8)))
    // What it was told of was the loss alone.
    #expect(session.listener.events.count(where: \.isDisconnected) == 1)
  }

  @Test func `F9 with a version that is fixed the refusal lasts`() throws {
    let broker = try FakeBroker([Self.connect, .say([0x20, 3, 0, 0x84, 0])])
    let session = try Self.session(broker, .v5)
    let failure = try #require(session.listener.waitForFailure())
    #expect(failure.kind == .badVersion && failure.isLasting)
  }

  @Test func `F10 and the broker is told how it is spoken to`() throws {
    let broker = try FakeBroker([Self.connect, Self.accept])
    let session = try Self.session(broker)
    #expect(session.listener.waitForLimits() != nil)
    let words = broker.firstWords[0]
    // A clean start, keep-alive 30 s, no session that lasts, no packet beyond 4 MiB.
    #expect(words[9] == 2 && words[10] == 0 && words[11] == 30)
    #expect(words.contains([39, 0, 0x40, 0, 0] as [UInt8]) && !words[12..<24].contains(17))
  }

  static let nonsense: [[FakeBroker.Step]] = [
    [connect, .say(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))],
    [.say([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])], [.close], [connect, .close],
    [connect, .say([0x20, 2, 0]), .close], [connect, .say([0x20, 0])],
    [connect, accept, accept], [connect, accept, .say([0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1])],
    [connect, accept, .say([0x00, 0x00])], [connect, accept, .say([0x30, 3, 0, 9, 65])],
    [connect, accept, .say([0x32, 4, 0, 1, 65, 0])],
    [connect, accept, .say([0x30, 5, 0, 2, 0xC3, 0x28, 0])],
    [connect, accept, .say([0x40, 1, 0])], [connect, accept, .say([0xE0, 1, 0x8B])],
    [connect, accept, .say([0x90, 3, 0, 1, 0])], [connect, accept, .say([0x10, 0])],
    [connect, accept, .repeatedly([0xF0, 0])],
  ]

  @Test(arguments: nonsense.indices)
  func `nonsense ends the connection, with a reason, and no more`(index: Int) throws {
    let session = try Self.session(try FakeBroker(Self.nonsense[index]), .v5)
    let failure = try #require(session.listener.waitForFailure())
    #expect(!failure.reason.isEmpty && failure.errno != 0, "\(failure)")
    let isSpared = Patience.isSpared { session.connection.close(within: Patience.limit) }
    #expect(isSpared && session.connection.state == .closed)
  }

  private static func failure(of script: [FakeBroker.Step]) throws -> BrokerFailure? {
    let session = try session(try FakeBroker(script), .v5)
    defer { session.connection.abandon() }
    return session.listener.waitForFailure()
  }

  @Test(arguments: [0..<64, 64..<128, 128..<192, 192..<256] as [Range<Int>])
  func `a property that MQTT does not have ends the connection, and no more`(
    identifiers: Range<Int>
  ) throws {
    for identifier in identifiers.map({ UInt8($0) })
    where BrokerGuardTests.properties[identifier] == nil {
      let answer = MadePacket.packet(0x20, list: [identifier, 1, 1, 1])
      let failure = try Self.failure(of: [Self.connect, .say(answer)])
      #expect(failure?.kind == .protocolError && failure?.errno == EPROTO, "\(identifier)")
    }
  }

  @Test(arguments: MadePacket.kinds)
  func `nor does it in any other packet, or come what may before it`(kind: UInt8) throws {
    let wrong = MadePacket.packet(kind, list: [0x1F, 0, 1, 97, 0x7E, 1])
    let message: [UInt8] = [0x30, 5, 0, 1, 65, 0, 7]
    for steps in [
      [.say(wrong)], [.say(message + wrong)], wrong.map { .say([$0]) },
      // Behind more than is read at once.
      [.say([UInt8](repeatElement(message, count: 20_000).joined()) + wrong)],
    ] as [[FakeBroker.Step]] {
      let broker = try FakeBroker(
        [Self.connect, Self.accept] + steps, [Self.connect, Self.accept])
      let session = try Self.session(broker, .v5)
      let failure = try #require(session.listener.waitForFailure())
      #expect(failure.kind == .protocolError && failure.reason.hasSuffix("the rules of MQTT"))
      // And the next that accepts is as good as any.
      #expect(session.listener.wait(times: 2, for: \.isConnected))
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `made-up packets end connections, with a reason, and no more`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let packets = (0..<40).map { _ in MadePacket.random(&generator) }
      let isLate = Bool.random(using: &generator)
      let failure = try Self.failure(
        of: [Self.connect] + (isLate ? [Self.accept] : [])
          + [.say([UInt8](packets.joined())), .close])
      #expect(failure.map { !$0.reason.isEmpty && $0.errno != 0 } == true, "\(packets)")
    }
  }

  @Test func `a property that is there twice breaks the rules`() throws {
    let answer = MadePacket.packet(0x20, list: [33, 0, 1, 33, 0, 1])
    #expect(try Self.failure(of: [Self.connect, .say(answer)])?.kind == .protocolError)
  }

  @Test func `acknowledgements of what was never sent do no harm`() throws {
    let message: [UInt8] = [0x30, 5, 0, 1, 65, 0, 7]
    let broker = try FakeBroker([
      Self.connect, Self.accept, .say([0x40, 2, 0, 9]), .say([0x90, 4, 0, 9, 0, 0x87]),
      .say([0xB0, 4, 0, 9, 0, 0]), .say([0xD0, 0]), .say(message),
    ])
    let session = try Self.session(broker)
    session.listener.wait { $0.isReceived("A") }
    #expect(session.listener.events.contains(.received("A", [7], isRetained: false)))
    #expect(!session.listener.events.contains { $0.isDisconnected })
  }

  @Test func `a broker that never accepts is given up after ten seconds`() throws {
    let session = try Self.session(try FakeBroker([Self.connect]))
    let failure = try #require(session.listener.waitForFailure())
    #expect(failure.kind == .unreachable && failure.errno == ETIMEDOUT)
    #expect(failure.reason.hasSuffix("it has not accepted within 10 s"))
  }

  @Test func `a broker that is silent keeps no close waiting`() throws {
    let broker = try FakeBroker([Self.connect])
    let session = try Self.session(broker)
    #expect(Patience.wait { !broker.firstWords.isEmpty })
    let isSpared = Patience.isSpared { session.connection.close(within: Patience.limit) }
    #expect(isSpared && session.connection.state == .closed)
  }

  @Test func `a close that is not answered ends at its limit`() throws {
    let broker = try FakeBroker([Self.connect, Self.accept])
    let session = try Self.session(broker)
    #expect(session.listener.waitForLimits() != nil)
    session.publish(BrokerMessage("t", [1]))
    session.listener.wait { if case .asked(.success) = $0 { true } else { false } }
    let isSpared = Patience.isSpared {
      #expect(!session.connection.close(within: 100_000_000))
    }
    #expect(isSpared)
    #expect(Patience.wait { session.connection.state == .closed })
  }

  @Test func `a packet without end is not waited for, nor kept`() throws {
    let broker = try FakeBroker([
      Self.connect, Self.accept, .say([0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 65, 0]),
      .repeatedly([UInt8](repeating: 0, count: 65_536), apart: 500),
    ])
    let session = try Self.session(broker)
    let failure = try #require(session.listener.waitForFailure())
    #expect(failure.errno == EMSGSIZE, "\(failure)")
  }

  @Test func `messages without end come in order, and keep no close waiting`() throws {
    let message: [UInt8] = [0x30, 5, 0, 1, 65, 0, 7]
    let many = [UInt8]((0..<10_000).map { _ in message }.joined())
    let broker = try FakeBroker([Self.connect, Self.accept, .repeatedly(many)])
    let session = try Self.session(broker)
    #expect(session.listener.wait(times: 1000) { $0.isReceived("A") })
    let isSpared = Patience.isSpared { session.connection.close(within: Patience.limit) }
    #expect(isSpared && session.connection.state == .closed)
  }

  @Test func `nothing that listens, and no such name, are told apart`() throws {
    let port = try LoopbackServer.freePort()
    let refused = try BrokerSession(BrokerAddress(host: "localhost", port: port), id: "a")
    #expect(
      refused.listener.waitForFailure()?.reason
        == "no broker at localhost:\(port): connection refused")
    let nameless = try BrokerSession(BrokerAddress(host: "no-such-host.invalid", port: 1), id: "a")
    #expect(
      nameless.listener.waitForFailure()?.reason
        == "no broker at no-such-host.invalid:1: its name leads to no address")
  }
}
