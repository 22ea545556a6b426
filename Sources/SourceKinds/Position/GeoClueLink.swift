import Gathering
import Ground
import Machine

/// A client of GeoClue, started while a source listens.
final class GeoClueLink: ServiceLink {
  private static let properties = "org.freedesktop.DBus.Properties"

  let provider = GeoClueDaemon.word
  let service = GeoClueDaemon.service
  let bus: any MessageBus
  private let files: any FileTree
  let clock: any TimeSource
  let notices: (any ChangeNotices)?
  let state = Monitor(GeoClueState())

  init(
    bus: any MessageBus, files: any FileTree, clock: any TimeSource,
    notices: (any ChangeNotices)?
  ) {
    self.bus = bus
    self.files = files
    self.clock = clock
    self.notices = notices
  }

  // MARK: Listeners

  func endListening() {
    let (client, watches) = state.withLock { state -> (String?, [any Cancellable]) in
      state.listeners -= 1
      guard state.listeners == 0 else { return (nil, []) }
      let kept = (state.client, [state.watch, state.clientWatch].compactMap(\.self))
      state = GeoClueState(generation: state.generation + 1)
      return kept
    }
    state.signalAll()
    if let client {
      // The bus may be closed right after this: waits until the daemon has received the call.
      let isDone = dismiss(client)
      _ = isDone.wait(until: Monitor<Void>.moment(after: 50_000_000)) { $0 ? true : nil }
    }
    for watch in watches { watch.cancel() }
  }

  /// Stops a client and has it deleted; the result becomes true when that is done.
  @discardableResult
  private func dismiss(_ client: String) -> Monitor<Bool> {
    let isDone = Monitor(false)
    bus.call(call(client, GeoClueDaemon.client, "Stop")) { _ in }
    bus.call(
      call(
        GeoClueDaemon.managerPath, GeoClueDaemon.manager, "DeleteClient", [.path(client)])
    ) { _ in
      isDone.withLock { $0 = true }
      isDone.signalAll()
    }
    return isDone
  }

  // MARK: The daemon

  /// The daemon has started, stopped or changed.
  func review() {
    switch bus.view(of: GeoClueDaemon.service, waiting: 0).state {
    case .asking: break
    case .running: begin()
    case .absent(let failure):
      forget(.refused(GeoClueDaemon.availability(failure, in: files)))
    }
  }

  /// Resets the state: the daemon is absent, or has lost its client.
  func forget(_ phase: LinkState.Phase) {
    var old: (any Cancellable)?
    change { state in
      guard state.listeners > 0, state.phase != phase else { return false }
      old = state.clientWatch
      state = GeoClueState(
        listeners: state.listeners, generation: state.generation + 1, phase: phase,
        watch: state.watch)
      return true
    }
    old?.cancel()
  }

  private func begin() {
    let generation = state.withLock { state -> Int? in
      guard state.listeners > 0, state.step == .none else { return nil }
      state.step = .asked
      state.generation += 1
      return state.generation
    }
    guard let generation else { return }
    ask(for: "GetClient", generation) { [weak self] failure in
      guard failure.cause == .unsupported else {
        self?.refuse(failure, generation)
        return
      }
      self?.ask(for: "CreateClient", generation) { [weak self] in self?.refuse($0, generation) }
    }
  }

  /// Retries after a refusal.
  func retry() {
    let isNew = state.withLock { state -> Bool in
      guard case .refused = state.phase, state.listeners > 0, state.step == .asked else {
        return false
      }
      state.step = .none
      return true
    }
    if isNew { review() }
  }

  private func ask(
    for method: String, _ generation: Int, orElse fail: @escaping @Sendable (BusFailure) -> Void
  ) {
    bus.call(call(GeoClueDaemon.managerPath, GeoClueDaemon.manager, method)) { [weak self] answer in
      switch answer {
      case .success(let values):
        if let path = values.first?.path {
          self?.start(path, generation)
        } else {
          fail(BusFailure(.malformed, message: "GeoClue names no client"))
        }
      case .failure(let failure): fail(failure)
      }
    }
  }

  /// Introduces the client, follows it and starts it; the bus keeps the order.
  private func start(_ client: String, _ generation: Int) {
    let watch = bus.watch(GeoClueDaemon.client(at: client)) { [weak self] in
      self?.look(generation)
    }
    let isWanted = state.withLock { state in
      guard state.generation == generation else { return false }
      (state.client, state.clientWatch) = (client, watch)
      return true
    }
    guard isWanted else {
      // Who has stopped meanwhile leaves nothing behind.
      watch.cancel()
      dismiss(client)
      return
    }
    let settings: [(String, BusValue)] = [
      ("DesktopId", .string(GeoClueDaemon.desktopID)),
      ("RequestedAccuracyLevel", .uint32(GeoClueDaemon.exact)),
    ]
    for (name, value) in settings {
      let arguments: [BusValue] = [.string(GeoClueDaemon.client), .string(name), .variant(value)]
      bus.call(call(client, Self.properties, "Set", arguments)) { _ in }
    }
    bus.call(call(client, GeoClueDaemon.client, "Start")) { [weak self] answer in
      // Without an answer its agent is asking the user; the client is started when the user agrees.
      if case .failure(let failure) = answer, failure.cause != .timedOut {
        self?.refuse(failure, generation)
      } else {
        self?.change { state in
          guard state.generation == generation else { return false }
          (state.phase, state.step) = (.connected, .started)
          return true
        }
        self?.look(generation)
      }
    }
  }

  private func refuse(_ failure: BusFailure, _ generation: Int) {
    let refusal = LinkState.Phase.refused(
      failure.cause == .timedOut
        ? GeoClueDaemon.withoutAgent(failure)
        : GeoClueDaemon.availability(failure, in: files))
    let isNew = change { state in
      guard state.generation == generation else { return nil }
      // After a refusal by policy the daemon is tried again when it restarts, or by the next
      // listener.
      state.phase = refusal
      return true
    }
    let policies: [BusFailure.Cause] = [.accessDenied, .notAuthorized, .needsAuthorization]
    if isNew == true, !policies.contains(failure.cause) { beginLater(generation) }
  }

  /// A failing daemon is tried again after 1, 2, 4 … 30 s (sources H4), unless all listeners are
  /// gone by then.
  private func beginLater(_ generation: Int) {
    let delay = state.withLock { $0.delays.next() }
    let thread = try? WorkerThread(named: "gkit-geoclue") { [weak self] in
      self?.begin(after: delay, generation)
    }
    thread?.detach()
  }

  private func begin(after delay: Int64, _ generation: Int) {
    let isOver = state.wait(until: Monitor<Void>.moment(after: delay)) { state in
      state.generation == generation ? nil : true
    }
    if isOver == true { return }
    state.withLock { if $0.generation == generation { $0.step = .none } }
    begin()
  }

  // MARK: Locations

  /// The client may have another location: that of its copy, kept up to date by the bus.
  private func look(_ generation: Int) {
    guard let client = state.withLock({ $0.generation == generation ? $0.client : nil }) else {
      return
    }
    let view = bus.view(of: GeoClueDaemon.client(at: client), waiting: 0)
    let object = view.object(client, GeoClueDaemon.client)
    if let path = object?[GeoClueDaemon.client, "Location"]?.path { fetch(path, generation) }
  }

  /// Queries the client itself, in case its copy was not updated.
  func ask() {
    let found = state.withLock { state -> (String, Int)? in
      guard state.step == .started, !state.isAsking, let client = state.client else { return nil }
      state.isAsking = true
      return (client, state.generation)
    }
    guard let (client, generation) = found else { return }
    let arguments: [BusValue] = [.string(GeoClueDaemon.client), .string("Location")]
    bus.call(call(client, Self.properties, "Get", arguments)) { [weak self] answer in
      guard let self else { return }
      state.withLock { if $0.generation == generation { $0.isAsking = false } }
      switch answer {
      case .success(let values):
        if let path = values.first?.plain.path { fetch(path, generation) }
      case .failure(let failure):
        // Another daemon took over that does not have this client.
        let names = ["UnknownObject", "UnknownMethod", "UnknownInterface"]
        guard names.contains(where: failure.name.hasSuffix) else { return }
        guard state.withLock({ $0.generation == generation }) else { return }
        forget(.connecting)
        review()
      }
    }
  }

  private func fetch(_ path: String, _ generation: Int) {
    let isNew = state.withLock { state in
      // "/" stands for none so far.
      guard state.generation == generation, path != "/", path != state.location else {
        return false
      }
      state.location = path
      return true
    }
    guard isNew else { return }
    let question = call(path, Self.properties, "GetAll", [.string(GeoClueDaemon.location)])
    bus.call(question) { [weak self] answer in
      guard let self else { return }
      guard let named = (try? answer.get())?.first?.named else {
        // It may be there the next time.
        return state.withLock { if $0.location == path { $0.location = nil } }
      }
      take(GeoClueDaemon.report(named), generation)
    }
  }

  private func take(_ report: PositionReport, _ generation: Int) {
    let now = clock.now.boot
    let isNews = change { state in
      guard state.generation == generation else { return nil }
      let hadFix = state.receiver.hasFix
      state.receiver.takeWhole(report, at: now)
      return state.receiver.hasFix != hadFix
    }
    if isNews != nil {
      notices?.send(ChangeNotice(topic: PositionTopic.report(of: GeoClueDaemon.word)))
    }
  }

  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) -> BusCall {
    BusCall(GeoClueDaemon.name, path, interface, member, arguments)
  }
}
