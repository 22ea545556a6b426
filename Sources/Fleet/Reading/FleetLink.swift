import Gathering
import Ground
import Machine
import Recording
import Values

/// What holds a fleet's connection: it knows the machines below a root, and asks the broker for
/// what is wanted of them.
final class FleetLink: BrokerUser, Sendable {
  let address: FleetAddress
  let state = Monitor(FleetState())
  private let lists = Lock(PropertyLists())
  private let holder = Lock<BrokerConnection?>(nil)
  let clock = LiveTime()
  /// Where watchers are told: they may ask back.
  private let teller = SerialWorker(named: "gkit-fleet", waiting: 2_000_000_000)

  init(_ address: FleetAddress) { self.address = address }

  deinit { close() }

  /// Begins to connect. Throws as `Recorder.publishing`.
  func start() throws(SourceError) {
    try FleetAddress.checkLibrary()
    do throws(BrokerFault) {
      let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let connection = try BrokerConnection(
        to: address.broker, clientID: "gk-r-\(number)", user: self)
      for warning in connection.warnings { Log.write(.warning, "mqtt", warning) }
      holder.withLock { $0 = connection }
      do throws(SystemError) { try connection.start() } catch { throw BrokerFault.system(error) }
    } catch {
      throw SourceError(error)
    }
  }

  /// Ends the connection, for ever.
  func close() {
    let connection = holder.withLock { holder in
      defer { holder = nil }
      return holder
    }
    state.withLock { $0.isClosed = true }
    state.signalAll()
    connection?.abandon()
    teller.endWhenIdle()
  }

  func wake() { holder.withLock { $0 }?.wake() }

  var now: Int64 { Monitor<Void>.moment(after: 0) }

  // MARK: On the connection's thread

  func connected(_ link: BrokerLink) {
    state.withLock { $0.connect(at: now) }
    state.signalAll()
  }

  func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    if let failure { Log.write(.warning, "mqtt", failure.reason) }
    state.withLock { $0.noteAnswer(to: request, at: now) }
  }

  func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink) {}

  func disconnected(_ failure: BrokerFailure) {
    state.withLock { $0.disconnect(failure) }
    state.signalAll()
    tellWatchers()
  }

  func work(_ link: BrokerLink?) -> Int64? {
    guard let link else { return nil }
    takeDeferred()
    let (wanted, ends, next, isAwaited) = state.withLock { state in
      state.goOn(at: now)
      defer { (state.subscriptions, state.ends, state.isAwaited) = ([], [], false) }
      return (state.subscriptions, state.ends, state.next, state.isAwaited)
    }
    if !ends.isEmpty { try? link.unsubscribe(ends.map { $0.text(below: address.root) }) }
    for qos: Int32 in [1, 0] {
      let filters = wanted.filter { $0.qos == qos }
      let texts = filters.map { $0.text(below: address.root) }
      guard !texts.isEmpty, let request = try? link.subscribe(texts, qos: qos) else { continue }
      state.withLock { $0.requests[request] = filters }
    }
    if isAwaited { state.signalAll() }
    tellWatchers()
    return next
  }

  func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink
  ) {
    guard let topic = FleetTopic(topic, below: address.root) else { return note(.badTopic) }
    if let only = address.devices, !only.contains(topic.device) { return }
    do throws(MessageFault) {
      switch topic.subject {
      case .online:
        let online = payload.isEmpty ? nil : try OnlineMessage(payload)
        try state.withLock { (state) throws(MessageFault) in
          try state.take(
            online, of: topic.device, clock.now, isRetained: isRetained, at: now)
        }
      case .device:
        let list = payload.isEmpty ? nil : try DeviceMessage(payload)
        try state.withLock { (state) throws(MessageFault) in
          try state.take(list, of: topic.device, clock.now, isRetained: isRetained, at: now)
        }
      case .source(let kind, let instance, let what):
        let key = FleetKey(device: topic.device, kind: kind, instance: instance)
        try take(payload, what, of: key, isRetained: isRetained)
      }
    } catch {
      note(error)
    }
  }

  private func take(
    _ payload: UnsafeRawBufferPointer, _ what: FleetTopic.What, of key: FleetKey, isRetained: Bool
  ) throws(MessageFault) {
    let arrival = clock.now
    switch what {
    case .about:
      let about = try payload.isEmpty ? nil : read(payload)
      try state.withLock { (state) throws(MessageFault) in
        try state.take(about, of: key, arrival, isRetained: isRetained, at: now)
      }
    case .state where payload.isEmpty: return
    case .state:
      let message = try StateMessage(payload)
      let (streams, shift, hasRows) = try state.withLock {
        (state) throws(MessageFault) -> (streams: [FleetStream], shift: Int64, hasRows: Bool) in
        try state.take(message, of: key, arrival, isRetained: isRetained)
      }
      for stream in streams { stream.take(message, shift: shift, hasRows: hasRows) }
    case .rows, .late:
      let rows = DeferredRows(
        payload: Array(payload), isLate: what == .late, isRetained: isRetained)
      if state.withLock({ $0.defer(rows, of: key) }) { return }
      try pass(rows, of: key)
    }
  }

  private func read(_ about: UnsafeRawBufferPointer) throws(MessageFault) -> AboutMessage {
    try lists.withLock { (lists) throws(MessageFault) in try AboutMessage(about, &lists) }
  }

  /// Blocks of a source are missing, or have come late.
  func note(_ missing: Int, of key: FleetKey) {
    state.withLock { state in
      guard state.missing[key] ?? 0 != missing else { return }
      state.missing[key] = missing
      state.changed.insert(key.kind)
      state.news.note(key)
    }
  }

  /// Counts what was ignored, and tells it once a minute.
  func note(_ fault: MessageFault) {
    let moment = now
    let faults = state.withLock { state -> [MessageFault: Int]? in
      state.faults[fault, default: 0] += 1
      if let last = state.faultsLoggedAt, moment - last < 60_000_000_000 { return nil }
      state.faultsLoggedAt = moment
      return state.faults
    }
    guard let faults else { return }
    let counts = faults.map { "\($0.value): \($0.key.rawValue)" }.sorted().joined(separator: ", ")
    Log.write(.warning, "mqtt", "messages ignored so far: \(counts)")
  }

  // MARK: Watchers

  /// Has the watchers of what has changed look, on a thread of their own.
  private func tellWatchers() {
    let isDue = state.withLock { state -> Bool in
      guard !state.isTelling, state.isEverythingChanged || !state.changed.isEmpty else {
        return false
      }
      state.isTelling = true
      return true
    }
    if isDue { teller.submit { [weak self] in self?.tellNow() } }
  }

  private func tellNow() {
    while true {
      let callbacks = state.withLock { state -> [@Sendable (Change) -> Void]? in
        guard state.isEverythingChanged || !state.changed.isEmpty else {
          state.isTelling = false
          return nil
        }
        defer { (state.changed, state.isEverythingChanged) = ([], false) }
        return state.watches
          .filter { state.isEverythingChanged || state.changed.contains($0.kind) }.map(\.changed)
      }
      guard let callbacks else { return }
      for callback in callbacks { callback(.instances) }
    }
  }

  /// Tells changes of a kind until the answer's number is given back.
  func watch(_ kind: String, _ changed: @escaping @Sendable (Change) -> Void) -> UInt64 {
    state.withLock { state in
      state.lastWatch += 1
      state.watches.append((state.lastWatch, kind, changed))
      return state.lastWatch
    }
  }

  func endWatch(_ number: UInt64) {
    let former = state.withLock { state in
      let place = state.watches.firstIndex { $0.number == number }
      return place.map { state.watches.remove(at: $0) }
    }
    withExtendedLifetime(former) {}
  }

  // MARK: Questions

  /// Waits until the first list is there: 5 s at most once the broker has accepted, and 2 s without
  /// one.
  func awaitList() {
    let begin = now
    while true {
      let wasConnected = state.withLock { $0.isConnected }
      let limit = begin + (wasConnected ? 5_000_000_000 : 2_000_000_000)
      let isOver = state.wait(until: limit) { state -> Bool? in
        if state.isListed || state.isClosed { return true }
        return state.isConnected != wasConnected ? false : nil
      }
      if isOver != false { return }
    }
  }

  /// Waits until it is known what the sources of a machine are: for 2 s at most.
  func describe(_ name: String) {
    let limit = Monitor<Void>.moment(after: 2_000_000_000)
    if state.withLock({ $0.ask(name) }) { return }
    wake()
    _ = state.wait(until: limit) { state -> Bool? in
      if state.isClosed || !state.isConnected { return true }
      if case .done? = state.devices[name]?.asking { return true }
      return nil
    }
  }

  /// The newest state of a source, and what is added to its machine's boot times.
  ///
  /// Waits for the first until a second after the broker has said that it is subscribed: what is
  /// retained follows that at once. A minute at most.
  func newest(of key: FleetKey) -> (state: StateMessage, shift: Int64)? {
    hold(key) { $0.readers += 1 }
    defer { hold(key) { $0.readers -= 1 } }
    let end = Monitor<Void>.moment(after: 60_000_000_000)
    var limit = end
    while true {
      var subscribedAt: Int64?
      let found = state.wait(until: limit) { state -> (StateMessage, Int64)?? in
        if let message = state.held[key]?.state {
          return (message, state.devices[key.device]?.clock.shift ?? 0)
        }
        subscribedAt = state.held[key]?.subscribedAt
        let isNew = subscribedAt != nil && limit == end
        return state.isConnected && !state.isClosed && !isNew ? nil : .some(nil)
      }
      guard case .some(nil) = found, limit == end, let subscribedAt else { return found ?? nil }
      limit = min(end - 1, subscribedAt + 1_000_000_000)
    }
  }

  /// What a publisher says of the time between two readings.
  func interval(of key: FleetKey) -> Int64 {
    state.withLock { $0.devices[key.device]?.abouts[key]?.interval } ?? 0
  }
}
