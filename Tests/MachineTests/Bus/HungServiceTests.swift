import GatheredKitTesting
import Ground
import Testing

@testable import Machine

/// A service that owns its name and never answers, on a real bus.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct HungServiceTests {
  private static let name = "org.example.Hung"
  private static let service = BusService(
    name, objects: .managed(root: "/"), unit: "hung.service", package: "hung")
  private static let query = BusCall(name, "/", "org.example.Manager", "Any")
  private static let deadline: Int64 = 2_000_000_000

  private let bus: PrivateBus
  private let mock: ChildProcess
  private let other: SystemBus

  init() throws {
    bus = try PrivateBus()
    mock = try bus.mock(Self.name, "/", "org.example.Manager", isObjectManager: true)
    other = SystemBus(address: bus.address)
    mock.pause()
  }

  private func cause(waiting limit: Int64) -> BusFailure.Cause? {
    let view = other.view(of: Self.service, waiting: limit)
    guard case .absent(let failure) = view.state else { return nil }
    return failure.cause
  }

  @Test func `3.4 a call is given up at its deadline, and others are answered meanwhile`() throws {
    defer { mock.resume() }
    #expect(bus.owner(of: Self.name) != nil)
    let answer = Monitor<BusFailure.Cause?>(nil)
    let begin = LiveTime().now.boot
    other.call(Self.query) { result in
      if case .failure(let failure) = result { answer.withLock { $0 = failure.cause } }
      answer.signalAll()
    }
    let ping = BusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
    #expect(throws: Never.self) { try other.ask(ping) }
    #expect(answer.wait(until: Patience.end) { $0 } == .timedOut)
    #expect(LiveTime().now.boot - begin >= Self.deadline)
  }

  @Test func `A4 the next watch waits again for a service that hung, once a caller asks`() throws {
    let first = other.watch(Self.service) {}
    #expect(cause(waiting: Patience.limit) == .timedOut)
    first.cancel()
    let second = other.watch(Self.service) {}
    // What hung a moment ago is not waited for again, nor forgotten at once.
    #expect(cause(waiting: Patience.limit) == .timedOut)
    second.cancel()
    other.lookAnew(at: [.bus(Self.service)])
    let third = other.watch(Self.service) {}
    #expect(cause(waiting: 0) == .timedOut)
    third.cancel()
    // A call takes as long as a refusal counts.
    #expect(throws: BusFailure.self) { try other.ask(Self.query) }
    other.lookAnew(at: [.bus(Self.service)])
    let fourth = other.watch(Self.service) {}
    #expect(other.view(of: Self.service, waiting: 0).state == .asking)
    mock.resume()
    #expect(other.view(of: Self.service, waiting: Patience.limit).isRunning)
    fourth.cancel()
  }

  @Test func `A4 a bus whose thread could not be made tries again with the next request`() throws {
    mock.resume()
    let failures = Monitor(2)
    let exchange = BusExchange(address: bus.address) { work throws(SystemError) in
      let isSpent = failures.withLock { left in
        left -= 1
        return left < 0
      }
      guard isSpent else { throw SystemError(11, at: "a thread") }
      try WorkerThread(named: "test-bus") { work() }.detach()
    }
    let answer = Monitor<Result<[BusValue], BusFailure>?>(nil)
    exchange.submit(
      .call(Self.query) { result in answer.withLock { $0 = result } })
    #expect(answer.withLock { $0 } == .failure(Self.noThread))
    let number = exchange.hold(Self.service) {}
    #expect(exchange.view(of: Self.service, waiting: 0).state == .absent(Self.noThread))
    #expect(failures.withLock { $0 } == 0)
    // Who waits asks.
    #expect(Patience.wait { exchange.view(of: Self.service, waiting: 1_000_000_000).isRunning })
    exchange.release(Self.service, number)
    exchange.stop()
  }

  private static let noThread = BusFailure(
    .noBus, message: "there is no thread for the bus", errno: 11)
}
