import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// How often the thread of a bus is woken.
struct BusWakingTests {
  private static let services = (1...4).map { number in
    BusService("org.example.N\(number)", objects: .managed(root: "/"), unit: "", package: "")
  }

  /// A bus whose thread is the test.
  private let exchange = BusExchange(address: "unix:path=/nowhere") { _ in }

  /// How often it was woken since the last question.
  private var wakings: UInt64 {
    var count: UInt64 = 0
    guard let wake = exchange.wakeDescriptor else { return 0 }
    return read(wake.number, &count, MemoryLayout<UInt64>.size) < 0 ? 0 : count
  }

  private func publishAbsence() {
    for service in Self.services { exchange.publish(BusView(.absent(.isClosed)), of: service) }
  }

  @Test func `watches that begin or end at once wake it once`() {
    // The first makes the thread.
    let first = exchange.hold(Self.services[0]) {}
    #expect(exchange.takeRequests()?.count == 1)
    let others = Self.services.dropFirst().map { ($0, exchange.hold($0) {}) }
    #expect(wakings == 1)
    #expect(exchange.takeRequests()?.count == 3)
    for (service, number) in others + [(Self.services[0], first)] {
      exchange.release(service, number)
    }
    #expect(wakings == 1)
    #expect(exchange.takeRequests()?.count == 4)
    exchange.stop()
  }

  @Test func `what was out of reach a moment ago is looked for no sooner than it is tried`() {
    let numbers = Self.services.map { exchange.hold($0) {} }
    _ = exchange.takeRequests()
    _ = wakings
    // On a busy machine that may take longer than the pause.
    let isSpared = Patience.wait {
      _ = wakings
      publishAbsence()
      for service in Self.services { _ = exchange.view(of: service, waiting: 1_000_000_000) }
      return wakings == 0
    }
    #expect(isSpared)
    let first = Self.services[0]
    #expect(exchange.view(of: first, waiting: 0).state == .absent(.isClosed))
    let isLookedFor = Patience.wait {
      _ = exchange.view(of: first, waiting: 1_000_000_000)
      return wakings == 1
    }
    #expect(isLookedFor)
    for (service, number) in zip(Self.services, numbers) { exchange.release(service, number) }
    exchange.stop()
  }
}
