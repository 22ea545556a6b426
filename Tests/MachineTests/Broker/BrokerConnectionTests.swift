import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// Connections to a real broker.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct BrokerConnectionTests {
  @Test func `messages go there and back, and are acknowledged at both qualities`() throws {
    let broker = try PrivateBroker()
    let session = try BrokerSession(broker, id: "a")
    let limits = try #require(session.listener.waitForLimits())
    #expect(limits.version == .v5 && limits.retains)
    #expect(session.subscribe("t/+"))
    session.publish(BrokerMessage("t/1", [0, 255], qos: 1, contentType: "application/json"))
    session.publish(BrokerMessage("t/0", [], qos: 0))
    #expect(session.listener.wait(times: 2, for: \.isAcknowledged))
    session.listener.wait { $0.isReceived("t/1") }
    session.listener.wait { $0.isReceived("t/0") }
    #expect(session.listener.events.contains(.received("t/1", [0, 255], isRetained: false)))
    #expect(session.listener.events.contains(.received("t/0", [], isRetained: false)))
    guard case .connected = session.connection.state else {
      Issue.record("\(session.connection.state)")
      return
    }
    #expect(session.connection.close(within: Patience.limit))
    #expect(session.connection.state == .closed)
  }

  @Test func `what is retained comes to those who subscribe later, until it is taken back`() throws
  {
    let broker = try PrivateBroker()
    let first = try BrokerSession(broker, id: "a")
    first.publish(BrokerMessage("kept", [7], isRetained: true))
    first.listener.wait(for: \.isAcknowledged)
    let second = try BrokerSession(broker, id: "b")
    #expect(second.subscribe("kept"))
    second.listener.wait { $0.isReceived("kept") }
    #expect(second.listener.events.contains(.received("kept", [7], isRetained: true)))
    first.publish(BrokerMessage("kept", [], isRetained: true))
    #expect(second.listener.wait(times: 2) { $0.isReceived("kept") })
    second.ask { link throws(BrokerFailure) in
      try link.unsubscribe(["kept"])
      return 0
    }
    let third = try BrokerSession(broker, id: "c")
    #expect(third.subscribe("kept"))
    third.publish(BrokerMessage("kept", [8]))
    third.listener.wait { $0.isReceived("kept") }
    #expect(third.listener.events.count { $0.isReceived("kept") } == 1)
  }

  @Test func `F13 a connection that is cut leaves its will, one that is closed does not`() throws {
    let broker = try PrivateBroker()
    let watcher = try BrokerSession(broker, id: "watcher")
    #expect(watcher.subscribe("will/#"))
    for name in ["closed", "abandoned", "cut"] {
      let will = BrokerMessage("will/\(name)", [1], isRetained: true)
      let session = try BrokerSession(broker, id: name, will: will)
      #expect(session.listener.waitForLimits() != nil)
      switch name {
      case "closed": #expect(session.connection.close(within: Patience.limit))
      case "abandoned":
        session.connection.abandon()
        #expect(Patience.wait { session.connection.state == .closed })
      default:
        session.ask { link throws(BrokerFailure) in link.cut() }
        #expect(session.listener.waitForFailure()?.kind == .lost)
      }
    }
    watcher.listener.wait { $0.isReceived("will/cut") }
    #expect(
      watcher.listener.events.filter { if case .received = $0 { true } else { false } }
        == [.received("will/cut", [1], isRetained: false)])
  }

  @Test func `what was published last is acknowledged before the farewell`() throws {
    let broker = try PrivateBroker()
    let watcher = try BrokerSession(broker, id: "watcher")
    #expect(watcher.subscribe("last"))
    let session = try BrokerSession(broker, id: "a", will: BrokerMessage("last", [0]))
    #expect(session.listener.waitForLimits() != nil)
    session.listener.ask { link throws(BrokerFailure) in
      try link.publish(BrokerMessage("last", [1]))
    }
    #expect(session.connection.close(within: Patience.limit))
    #expect(session.listener.events.contains { $0.isAcknowledged })
    watcher.publish(BrokerMessage("last", [2]))
    #expect(watcher.listener.wait(times: 2) { $0.isReceived("last") })
    #expect(!watcher.listener.events.contains(.received("last", [0], isRetained: false)))
  }

  @Test func `F11 a broker that comes back is connected to again`() throws {
    let broker = try PrivateBroker()
    let session = try BrokerSession(broker, id: "a")
    #expect(session.listener.waitForLimits() != nil)
    broker.stop()
    let failure = try #require(session.listener.waitForFailure())
    #expect(failure.kind == .lost && !failure.isLasting)
    #expect(session.listener.wait(times: 2, for: \.isDisconnected))
    let place = broker.address.text
    #expect(
      session.listener.events.last
        == .disconnected(
          BrokerFailure(
            .unreachable, "no broker at \(place): connection refused",
            remedy: "check the address, or start one: systemctl start mosquitto",
            errno: ECONNREFUSED)))
    guard case .waiting(_, let reason) = session.connection.state else {
      Issue.record("\(session.connection.state)")
      return
    }
    #expect(reason.errno == ECONNREFUSED)
    try broker.start()
    #expect(session.listener.wait(times: 2, for: \.isConnected))
    #expect(session.subscribe("t"))
  }

  @Test func `a wake from another thread, and a moment that has come, give a turn`() throws {
    let broker = try PrivateBroker()
    let idle = try BrokerSession(broker, id: "idle")
    #expect(idle.listener.waitForLimits() != nil)
    let before = idle.listener.turnCount
    idle.connection.wake()
    #expect(idle.listener.wait(turns: before + 1))
    let busy = try BrokerSession(broker, id: "busy", wantingWorkAt: 0)
    #expect(busy.listener.wait(turns: 100))
  }

  @Test func `F25 no more is handed over than the broker takes`() throws {
    let broker = try PrivateBroker(["allow_anonymous true", "max_inflight_messages 3"])
    let session = try BrokerSession(broker, id: "a")
    let limits = try #require(session.listener.waitForLimits())
    #expect(limits.receiveMaximum == 3)
    session.ask { link throws(BrokerFailure) in
      for _ in 0..<3 { _ = try link.publish(BrokerMessage("t", [1])) }
      return try link.publish(BrokerMessage("t", [1]))
    }
    session.listener.wait {
      if case .asked(.failure(let failure)) = $0 { failure.kind == .full } else { false }
    }
    #expect(session.listener.wait(times: 3, for: \.isAcknowledged))
    session.publish(BrokerMessage("t", [1]))
    #expect(session.listener.wait(times: 4, for: \.isAcknowledged))
  }

  @Test func `F25 as many bytes may wait as one window has, or one message that is longer`() throws
  {
    let broker = try PrivateBroker()
    let session = try BrokerSession(broker, id: "a")
    session.ask { link throws(BrokerFailure) in
      let half = BrokerMessage("t", [UInt8](repeating: 1, count: 1 << 19))
      _ = try link.publish(half)
      _ = try link.publish(half)
      return link.hasRoom(for: 1) ? 1 : 0
    }
    session.listener.wait { $0 == .asked(.success(0)) }
    #expect(session.listener.wait(times: 2, for: \.isAcknowledged))
    session.publish(BrokerMessage("t", [UInt8](repeating: 1, count: 3 << 20)))
    #expect(session.listener.wait(times: 3, for: \.isAcknowledged))
  }

  @Test func `F23 a message that is too long for the broker is refused, and only that`() throws {
    let broker = try PrivateBroker(["allow_anonymous true", "max_packet_size 2000"])
    let session = try BrokerSession(broker, id: "a")
    #expect(session.listener.waitForLimits()?.maximumPacketSize == 2000)
    session.publish(BrokerMessage("t", [UInt8](repeating: 1, count: 3000)))
    session.listener.wait {
      if case .asked(.failure(let failure)) = $0 { failure.kind == .tooLarge } else { false }
    }
    session.publish(BrokerMessage("t/#", [1]))
    session.listener.wait {
      if case .asked(.failure(let failure)) = $0 { failure.kind == .invalid } else { false }
    }
    session.publish(BrokerMessage("t", [1]))
    session.listener.wait(for: \.isAcknowledged)
    #expect(!session.listener.events.contains { $0.isDisconnected })
  }

  @Test func `3.1.1 is spoken where it is asked for`() throws {
    let broker = try PrivateBroker()
    var address = broker.address
    address.version = .v311
    let session = try BrokerSession(address, of: broker, id: "a")
    #expect(session.listener.waitForLimits() == BrokerLimits(version: .v311))
    #expect(session.subscribe("t"))
    session.publish(BrokerMessage("t", [1], contentType: "application/json"))
    session.listener.wait { $0.isReceived("t") }
    session.listener.wait(for: \.isAcknowledged)
    #expect(session.connection.close(within: Patience.limit))
  }

  @Test func `F12 of two clients of one id the later wins`() throws {
    let broker = try PrivateBroker()
    let first = try BrokerSession(broker, id: "same")
    #expect(first.listener.waitForLimits() != nil)
    let second = try BrokerSession(broker, id: "same")
    #expect(second.listener.waitForLimits() != nil)
    let failure = try #require(first.listener.waitForFailure())
    first.connection.abandon()
    #expect([.takenOver, .lost].contains(failure.kind), "\(failure)")
  }

  @Test func `with its user a connection ends`() throws {
    let broker = try PrivateBroker()
    let connection = try Self.unused(broker)
    // One that sleeps finds out when it is woken.
    connection.wake()
    #expect(Patience.wait { connection.state == .closed })
  }

  /// A connection that was made, and whose user is gone.
  private static func unused(_ broker: PrivateBroker) throws -> BrokerConnection {
    let session = try BrokerSession(broker, id: "a")
    #expect(session.listener.waitForLimits() != nil)
    return session.connection
  }
}

extension BrokerLink {
  /// Ends the connection as if the network had.
  fileprivate func cut() -> Int32 {
    shutdown(client.socket, Int32(SHUT_RDWR))
  }
}
