import Gathering
import Ground
import Machine

/// Queries the positions of modems' receivers, at every reading, while a source listens.
final class ModemLink: ServiceLink {
  struct Query: Sendable {
    var decoder = NMEADecoder()
    /// Its last answer: an equal one is not new.
    var last: BusValue?
    var isAsking = false
  }

  struct State: ServiceLinkState {
    var listeners = 0
    var generation = 0
    var phase = LinkState.Phase.closed
    var receivers: [PositionReceiver] = []
    var queries: [String: Query] = [:]
    var watch: (any Cancellable)?
  }

  let provider = ModemBackend.word
  let service = ModemDaemon.service
  private let machine: Machine
  let bus: any MessageBus
  let notices: (any ChangeNotices)?
  let state = Monitor(State())

  init(on machine: Machine, bus: any MessageBus, notices: (any ChangeNotices)?) {
    self.machine = machine
    self.bus = bus
    self.notices = notices
  }

  // MARK: Listeners

  func endListening() {
    let watch = state.withLock { state -> (any Cancellable)? in
      state.listeners -= 1
      guard state.listeners == 0 else { return nil }
      let watch = state.watch
      state = State(generation: state.generation + 1)
      return watch
    }
    watch?.cancel()
  }

  /// ModemManager has started, stopped or changed.
  func review() {
    let view = bus.view(of: ModemDaemon.service, waiting: 0)
    switch view.state {
    case .asking: return
    case .absent(let failure):
      refuse(Availability(failure, of: ModemDaemon.service, in: machine.files))
    case .running:
      let names = ModemBackend.receivers(in: view, on: machine).map(\.instance.name)
      change { state in
        guard state.listeners > 0 else { return false }
        let wasAway = state.isAway
        if wasAway { state.phase = .connecting }
        if names.isEmpty { state.phase = .connected }
        guard names != state.receivers.map(\.device) || wasAway else { return false }
        state.receivers = names.map { name in
          state.receivers.first { $0.device == name } ?? PositionReceiver(device: name)
        }
        state.queries = state.queries.filter { names.contains($0.key) }
        return true
      }
      if phase == .connecting { ask() }
    }
  }

  private func refuse(_ availability: Availability) {
    var availability = availability
    availability.backend = provider
    let phase = LinkState.Phase.refused(availability)
    change { state in
      guard state.listeners > 0, state.phase != phase else { return false }
      state.generation += 1
      state.phase = phase
      if state.isAway { (state.receivers, state.queries) = ([], [:]) }
      return true
    }
  }

  // MARK: Positions

  func ask() {
    let view = bus.view(of: ModemDaemon.service, waiting: 0)
    for (modem, instance) in ModemBackend.receivers(in: view, on: machine) {
      let name = instance.name
      let generation = state.withLock { state -> Int? in
        guard state.listeners > 0, state.queries[name]?.isAsking != true else { return nil }
        state.queries[name, default: Query()].isAsking = true
        return state.generation
      }
      guard let generation else { continue }
      if ModemPosition.obstacle(to: modem, named: instance) != nil {
        // It is listed in its present state, and queried once it is turned on.
        settle(name, generation) { _ in }
        continue
      }
      let call = BusCall(ModemDaemon.name, modem.path, ModemDaemon.location, "GetLocation")
      bus.call(call) { [weak self] answer in self?.take(answer, of: name, generation) }
    }
  }

  private func take(
    _ answer: Result<[BusValue], BusFailure>, of name: String, _ generation: Int
  ) {
    switch answer {
    case .success(let values):
      let now = machine.clock.now.boot
      settle(name, generation) { state in state.take(values.first, of: name, at: now) }
      notices?.send(ChangeNotice(topic: PositionTopic.report(of: name)))
    case .failure(let failure):
      switch failure.cause {
      case .accessDenied, .notAuthorized, .needsAuthorization:
        settle(name, generation, isDecided: false) { _ in }
        if state.withLock({ $0.generation == generation }) {
          refuse(Availability(failure, of: ModemDaemon.service, in: machine.files))
        }
      // Its earlier reports become stale.
      default: settle(name, generation) { _ in }
      }
    }
  }

  /// A question is answered: callers that wait for it go on.
  private func settle(
    _ name: String, _ generation: Int, isDecided: Bool = true, _ body: (inout State) -> Void
  ) {
    change { state in
      guard state.generation == generation else { return false }
      state.queries[name]?.isAsking = false
      let before = state.receivers.map(\.hasFix)
      let phase = state.phase
      if isDecided { state.phase = .connected }
      body(&state)
      return before != state.receivers.map(\.hasFix) || state.phase != phase
    }
  }
}

extension ModemLink.State {
  /// Whether ModemManager itself is absent, rather than refusing.
  fileprivate var isAway: Bool {
    if case .refused(let availability) = phase { return availability.state == .serviceNotRunning }
    return false
  }

  /// Processes an answer of a receiver, unless it equals the last one.
  fileprivate mutating func take(_ answer: BusValue?, of name: String, at now: Int64) {
    guard let index = receivers.firstIndex(where: { $0.device == name }) else { return }
    var query = queries[name] ?? .init()
    let hasMoment: Bool
    let reports = ModemPosition.reports(answer, &query.decoder, at: now)
    hasMoment = reports.contains { if case .named(.some) = $0.epoch { true } else { false } }
    if hasMoment && query.last == answer { return }
    query.last = answer
    self.queries[name] = query
    for report in reports { _ = receivers[index].take(report, at: now) }
    _ = receivers[index].settle(by: .max)
  }
}
