import Glibc
import Ground

/// The work of the bus thread. It alone holds the connection, the queries and the mirrors.
final class BusThread {
  private enum Purpose {
    case mirror(BusService, BusMirror.Query, round: Int)
    case call(BusExchange.ReplyHandler)
    /// Nothing hangs on the answer.
    case none
  }

  private struct PendingCall {
    let purpose: Purpose
    let destination: String
    var deadline: Int64

    func belongs(to service: BusService) -> Bool {
      if case .mirror(service, _, _) = purpose { return true }
      return false
    }
  }

  /// How long an answer may take.
  private static let patience: Int64 = 2_000_000_000
  /// The shortest time between two attempts to connect, in nanoseconds.
  static let rest: Int64 = 100_000_000

  private let exchange: BusExchange
  private var connection: BusConnection?
  private var pending: [UInt64: PendingCall] = [:]
  private var mirrors: [BusService: BusMirror] = [:]
  /// How often the view of each service has changed beyond its readings.
  private var listings: [BusService: UInt64] = [:]
  /// The services whose view has changed since it was shown.
  private var changed: Set<BusService> = []
  /// The last attempt to connect, its result, and when the next one is due without a request.
  private var triedAt = Int64.min
  private var refusal: BusFailure?
  private var retryAt = Int64.max
  private var attempts = 0
  /// The services that have answered with errors: how often, and when they are asked again.
  private var refused: [BusService: (attempts: Int, retryAt: Int64)] = [:]

  init(_ exchange: BusExchange) { self.exchange = exchange }

  /// Works until the exchange is stopped.
  func run() {
    exchange.noteThread()
    while let requests = exchange.takeRequests() {
      for request in requests { handle(request) }
      receive()
      missAnswers()
      if retryAt <= now { connect() }
      askAgain()
      publish()
      sleep()
    }
    end(.isClosed)
    publish()
  }

  private var now: Int64 { Monitor<Void>.moment(after: 0) }

  private func sleep() {
    guard let wake = exchange.wakeDescriptor else { return }
    var polled = [pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0)]
    let moments = pending.values.map(\.deadline) + refused.values.map(\.retryAt)
    var moment = min(retryAt, moments.min() ?? .max)
    if let connection {
      let (descriptor, events) = connection.pollable
      polled.append(pollfd(fd: descriptor, events: events, revents: 0))
      moment = min(moment, connection.moment)
    }
    let left = moment == .max ? -1 : min(max(0, moment - now) / 1_000_000 + 1, 3_600_000)
    // For a moment in the past poll does not wait; a timer in the future must not return too early.
    _ = poll(&polled, nfds_t(polled.count), moment <= now ? 0 : Int32(clamping: left))
    if polled[0].revents != 0 { wake.drain() }
  }

  // MARK: Requests

  private func handle(_ request: BusExchange.Request) {
    switch request {
    case .hold(let service):
      mirrors[service] = BusMirror(service)
      if connection != nil {
        begin(service)
      } else if !connectSoon(), let refusal {
        act(on: service) { $0.lose(refusal) }
      }
    case .release(let service):
      (mirrors[service], refused[service]) = (nil, nil)
      // Late answers belong to no watch and must not be taken for answers to a later one.
      pending = pending.filter { !$0.value.belongs(to: service) }
      for rule in service.matches { tell(.toBus("RemoveMatch", [.string(rule)])) }
      if mirrors.isEmpty, connection == nil { retryAt = .max }
    case .call(let call, let answer):
      connectSoon()
      ask(call, .call(answer))
    case .look:
      connectSoon()
      for service in Array(refused.keys) { refused[service]?.retryAt = now }
    }
  }

  /// Subscribes, then makes the first query.
  private func begin(_ service: BusService) {
    for rule in service.matches { tell(.toBus("AddMatch", [.string(rule)])) }
    act(on: service) { $0.begin() }
  }

  private func act(on service: BusService, _ change: (inout BusMirror) -> [BusMirror.Action]) {
    // The only reference while it changes: else all its objects would be copied.
    guard var mirror = mirrors.removeValue(forKey: service) else { return }
    let actions = change(&mirror)
    mirrors[service] = mirror
    for action in actions {
      switch action {
      case .ask(let query, let call, let round):
        ask(call, .mirror(service, query, round: round))
      case .publish:
        listings[service, default: 0] &+= 1
        changed.insert(service)
      case .publishReadings: changed.insert(service)
      }
    }
    noteRefusal(by: service)
  }

  /// A service that answers with errors is asked again after 1, 2, 4 … 30 s (sources H4).
  private func noteRefusal(by service: BusService) {
    guard let mirror = mirrors[service], !mirror.isFilling else { return }
    if !mirror.isRefused { return refused[service] = nil }
    let attempts = refused[service]?.attempts ?? 0
    if refused[service]?.retryAt ?? .max != .max { return }
    refused[service] = (attempts + 1, Self.moment(after: attempts, from: now))
  }

  private func askAgain() {
    let now = now
    for (service, refusal) in refused where refusal.retryAt <= now {
      refused[service]?.retryAt = .max
      act(on: service) { $0.askAgain() }
    }
  }

  /// When it is tried again after so many attempts.
  private static func moment(after attempts: Int, from now: Int64) -> Int64 {
    now + min(30, Int64(1) << min(attempts, 5)) * 1_000_000_000
  }

  /// Shows the views that have changed, each once for all that has come meanwhile.
  private func publish() {
    while let service = changed.popFirst() {
      guard var view = mirrors[service]?.view else { continue }
      view.listing = listings[service] ?? 0
      exchange.publish(view, of: service)
    }
  }

  private func tell(_ call: BusCall) {
    if connection != nil { ask(call, .none) }
  }

  private func ask(_ call: BusCall, _ purpose: Purpose) {
    do throws(BusFailure) {
      guard let connection else { throw refusal ?? .isClosed }
      let cookie = try connection.send(call)
      pending[cookie] = PendingCall(
        purpose: purpose, destination: call.destination, deadline: now + Self.patience)
    } catch {
      answer(purpose, .failure(error))
    }
  }

  private func answer(_ purpose: Purpose, _ result: Result<[BusValue], BusFailure>) {
    switch purpose {
    case .mirror(let service, let query, let round):
      act(on: service) { $0.take(result, to: query, round: round) }
    case .call(let answer): answer(result)
    case .none: break
    }
  }

  // MARK: The connection

  /// Connects if there is no connection, unless that was tried a moment ago; returns whether it
  /// tried.
  @discardableResult
  private func connectSoon() -> Bool {
    guard connection == nil, triedAt == .min || now - triedAt >= Self.rest else { return false }
    connect()
    return true
  }

  private func connect() {
    triedAt = now
    retryAt = .max
    do throws(BusFailure) {
      try Self.check(exchange.address)
      connection = try BusConnection(address: exchange.address)
      refusal = nil
    } catch {
      return lose(error)
    }
    for service in mirrors.keys { begin(service) }
  }

  /// An address that would start a program is none of ours (sources K2).
  private static func check(_ address: String) throws(BusFailure) {
    let kinds = address.split(separator: ";").map { $0.prefix { $0 != ":" } }
    guard !kinds.isEmpty, kinds.allSatisfy({ $0 == "unix" || $0 == "tcp" }) else {
      throw BusFailure(
        .noBus, message: "\(address) is no address of a socket", errno: EINVAL)
    }
  }

  /// The connection was lost or could not be made. It is tried again after 1, 2, 4 … 30 s while a
  /// service is watched (sources H4).
  private func lose(_ failure: BusFailure) {
    end(failure)
    refusal = failure
    retryAt = mirrors.isEmpty ? .max : Self.moment(after: attempts, from: now)
    attempts += 1
  }

  private func end(_ failure: BusFailure) {
    connection = nil
    let lost = pending
    pending = [:]
    for one in lost.values {
      if case .call(let answer) = one.purpose { answer(.failure(failure)) }
    }
    for service in Array(mirrors.keys) { act(on: service) { $0.lose(failure) } }
  }

  private func receive() {
    // Bounded, so that a daemon that sends without end does not block callers.
    for _ in 0..<256 {
      do throws(BusFailure) {
        guard let incoming = try connection?.receive() else { return }
        take(incoming)
      } catch {
        return lose(error)
      }
    }
  }

  private func take(_ incoming: BusConnection.Incoming) {
    switch incoming {
    case .answer(let cookie, let result):
      attempts = 0
      guard let query = pending.removeValue(forKey: cookie) else { return }
      answer(query.purpose, result)
    case .signal(let signal):
      for service in Array(mirrors.keys) { act(on: service) { $0.receive(signal) } }
    case .other: break
    }
  }

  /// Ends calls whose answer is overdue; late answers to queries of a mirror are still accepted.
  private func missAnswers() {
    let now = now
    for (cookie, query) in pending where query.deadline <= now {
      switch query.purpose {
      case .call(let answer):
        pending[cookie] = nil
        answer(.failure(.timedOut(query.destination)))
      case .mirror(let service, let kind, let round):
        pending[cookie]?.deadline = .max
        act(on: service) { $0.miss(kind, round: round) }
      case .none: pending[cookie] = nil
      }
    }
  }
}
