import Ground
import Synchronization

/// State shared by the bus thread and its callers: requests one way, views the other.
final class BusExchange: Sendable {
  typealias ReplyHandler = @Sendable (Result<[BusValue], BusFailure>) -> Void

  enum Request: Sendable {
    case hold(BusService)
    case release(BusService)
    case call(BusCall, ReplyHandler)
    /// A caller waits: a connection is to be tried now rather than later.
    case look

    /// Whether it begins or ends a watch.
    var isOfWatch: Bool {
      switch self {
      case .hold, .release: true
      case .call, .look: false
      }
    }
  }

  private struct Record {
    var view = BusView(.asking)
    var isAnswered = false
    var answeredAt: Int64 = .min
    var heldSince: Int64 = .min
    var releasedAt: Int64?
    var holders: [(number: UInt64, changed: @Sendable () -> Void)] = []

    /// A service hangs if it was watched for 1 s and has not answered when the last watch ends.
    mutating func noteSilence(of service: BusService) {
      let now = Monitor<Void>.moment(after: 0)
      guard !isAnswered, now - heldSince >= 1_000_000_000 else { return }
      view = BusView(.absent(.timedOut(service.name)))
      answeredAt = now
    }

    /// The view at the end of the last watch, if that was less than 5 s ago.
    var recentView: BusView? {
      guard let releasedAt, Monitor<Void>.moment(after: 0) - releasedAt < 5_000_000_000 else {
        return nil
      }
      return view
    }

    /// Whether it was answered less than a moment ago, before which no connection is tried again.
    var isFresh: Bool { Monitor<Void>.moment(after: 0) - answeredAt < BusThread.rest }

    /// The next watch waits again for a service that hung.
    mutating func forgetSilence() {
      guard holders.isEmpty, hungLately,
        Monitor<Void>.moment(after: 0) - answeredAt >= 2_000_000_000
      else { return }
      view = BusView(.asking)
    }

    /// Whether the service did not answer a moment ago.
    var hungLately: Bool {
      guard case .absent(let failure) = view.state, failure.cause == .timedOut else {
        return false
      }
      return Monitor<Void>.moment(after: 0) - answeredAt < 30_000_000_000
    }
  }

  private struct State {
    var requests: [Request] = []
    var records: [BusService: Record] = [:]
    var nextNumber: UInt64 = 0
    var wake: WakeDescriptor?
    var isStopped = false
  }

  let address: String
  private let state = Monitor(State())
  /// The identity of the thread, which must not wait for itself.
  private let thread = Atomic<UInt>(0)
  /// Makes a thread that does work.
  private let begin: @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> Void

  /// Makes a bus at an address; `begin` makes its thread.
  init(
    address: String,
    begin: @escaping @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> Void = {
      work throws(SystemError) in
      try WorkerThread(named: "gkit-bus") { work() }.detach()
    }
  ) {
    self.address = address
    self.begin = begin
  }

  // MARK: For callers

  func hold(_ service: BusService, _ changed: @escaping @Sendable () -> Void) -> UInt64 {
    let (number, isNeeded) = state.withLock { state in
      var record = state.records[service] ?? Record()
      let number = state.nextNumber
      state.nextNumber += 1
      let isFirst = record.holders.isEmpty
      // What has not been taken was signalled.
      let isAlone = state.requests.isEmpty
      if isFirst {
        state.requests.append(.hold(service))
        // A service that hung a moment ago is not waited for again (sources A4).
        record.isAnswered = record.hungLately
        record.heldSince = Monitor<State>.moment(after: 0)
      }
      record.holders.append((number, changed))
      state.records[service] = record
      return (number, isFirst && isAlone || state.wake == nil)
    }
    if isNeeded { wake() }
    return number
  }

  func release(_ service: BusService, _ number: UInt64) {
    // Released objects may call back: outside the lock.
    let (gone, isNeeded) = state.withLock { state in
      let gone = state.records[service]?.holders.filter { $0.number == number } ?? []
      state.records[service]?.holders.removeAll { $0.number == number }
      let isLast = !gone.isEmpty && state.records[service]?.holders.isEmpty == true
      let isAlone = state.requests.isEmpty
      if isLast {
        state.requests.append(.release(service))
        state.records[service]?.noteSilence(of: service)
        state.records[service]?.releasedAt = Monitor<State>.moment(after: 0)
      }
      return (gone, isLast && isAlone)
    }
    withExtendedLifetime(gone) {}
    if isNeeded { wake() }
  }

  func view(of service: BusService, waiting limit: Int64) -> BusView {
    // What runs and has answered is neither waited for nor looked for; nor is what could not be
    // reached a moment ago, since the thread would not try again.
    let present = state.withLock { state -> BusView? in
      guard let record = state.records[service], record.isAnswered,
        record.view.isRunning || record.isFresh
      else { return nil }
      return record.view
    }
    if let present { return present }
    let limit = thread.load(ordering: .relaxed) == CurrentThread.identity ? 0 : limit
    if limit > 0 { submit(.look) }
    let moment = Monitor<State>.moment(after: max(limit, 0))
    let view = state.wait(until: moment) { state -> BusView? in
      guard let record = state.records[service] else { return BusView(.asking) }
      return record.isAnswered || state.isStopped ? record.view : nil
    }
    if let view { return view }
    // The view of an earlier watch may be outdated. A caller that does not wait gets the view of a
    // moment ago rather than an empty one.
    let recent = limit > 0 ? nil : state.withLock { $0.records[service]?.recentView }
    return recent ?? BusView(.asking)
  }

  /// Forgets who hung, and has a connection tried that is being waited for.
  func lookAnew(at services: [BusService]) {
    let isHeld = state.withLock { state in
      for service in services { state.records[service]?.forgetSilence() }
      return services.contains { state.records[$0]?.holders.isEmpty == false }
    }
    if isHeld { submit(.look) }
  }

  func submit(_ request: Request) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.requests.append(request) }
      return state.isStopped
    }
    if isStopped { return Self.refuse(request) }
    wake()
  }

  func stop() {
    let (wake, requests) = state.withLock { state in
      state.isStopped = true
      defer { state.requests = [] }
      return (state.wake, state.requests)
    }
    state.signalAll()
    wake?.signal()
    for request in requests { Self.refuse(request) }
  }

  static func refuse(_ request: Request) {
    if case .call(_, let answer) = request { answer(.failure(.isClosed)) }
  }

  /// Wakes the thread, which begins with the first request.
  private func wake() {
    do throws(SystemError) {
      let mustStart = try state.withLock { state throws(SystemError) in
        state.wake?.signal()
        if state.wake != nil || state.isStopped { return false }
        state.wake = try WakeDescriptor()
        return true
      }
      if mustStart { try begin { [self] in BusThread(self).run() } }
    } catch {
      postpone(error)
    }
  }

  /// Without a thread there is no bus: waiting callers get this error now, and the next request
  /// tries to make a thread again (sources A4).
  private func postpone(_ error: SystemError) {
    let failure = BusFailure(.noBus, message: "there is no thread for the bus", errno: error.code)
    let (requests, former) = state.withLock { state in
      let former = state.wake
      state.wake = nil
      for service in state.records.keys where state.records[service]?.holders.isEmpty == false {
        state.records[service]?.view = BusView(.absent(failure))
        state.records[service]?.isAnswered = true
        state.records[service]?.answeredAt = Monitor<State>.moment(after: 0)
      }
      let all = state.requests
      // Watches stay for the thread that is made next.
      state.requests = all.filter(\.isOfWatch)
      return (all, former)
    }
    // Closed outside the lock.
    withExtendedLifetime(former) {}
    state.signalAll()
    for case .call(_, let answer) in requests { answer(.failure(failure)) }
  }

  // MARK: For the thread

  /// The calling thread does the work from now on.
  func noteThread() { thread.store(CurrentThread.identity, ordering: .relaxed) }

  /// The requests since the last call; nil when the bus has ended.
  func takeRequests() -> [Request]? {
    state.withLock { state in
      if state.isStopped { return nil }
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// The descriptor that wakes the thread.
  var wakeDescriptor: WakeDescriptor? { state.withLock { $0.wake } }

  func publish(_ view: BusView, of service: BusService) {
    let holders = state.withLock { state -> [UInt64] in
      state.records[service]?.view = view
      state.records[service]?.isAnswered = true
      state.records[service]?.answeredAt = Monitor<State>.moment(after: 0)
      return state.records[service]?.holders.map(\.number) ?? []
    }
    state.signalAll()
    for number in holders {
      // Looked up one by one: an earlier holder may have ended a later one.
      let holder = state.withLock { state in
        state.records[service]?.holders.first { $0.number == number }
      }
      holder?.changed()
    }
  }
}
