public import Ground
public import Machine

/// A message bus on which a test plays all services by hand.
public final class FixtureBus: MessageBus {
  private struct Holder {
    let id: Int
    let service: String
    let changed: @Sendable () -> Void
  }

  private struct State {
    var views: [String: BusView] = [:]
    var answers: [String: Result<[BusValue], BusFailure>] = [:]
    var calls: [BusCall] = []
    var holders: [Holder] = []
    var beginnings: [String: Int] = [:]
    var nextID = 0
  }

  private static let owner = ":1.7"

  private let state = Monitor(State())

  /// A bus without services.
  public init() {}

  /// Makes a service run with these objects, in place of those it had.
  public func run(_ name: String, _ objects: [String: BusObject]) {
    change(name) { $0 = BusView(.running, objects, owner: Self.owner) }
  }

  /// Changes or adds properties of an interface; nil makes one unknown.
  public func set(
    _ name: String, _ path: String, _ interface: String, _ properties: [String: BusValue?]
  ) {
    change(name) { view in
      for (property, value) in properties {
        view.objects[path, default: BusObject()].interfaces[interface, default: [:]][property] =
          value
      }
    }
  }

  /// Changes properties that are readings: the service lists what it listed before.
  public func report(
    _ name: String, _ path: String, _ interface: String, _ properties: [String: BusValue]
  ) {
    // Written anew, not in place: the thread sanitizer does not see that readers on other threads
    // have let go of their copies.
    change(name, isListed: true) { view in
      guard var object = view.objects[path] else { return }
      object.take(properties, of: interface)
      view.objects = view.objects.merging([path: object]) { $1 }
    }
  }

  /// Removes an object of a service.
  public func remove(_ name: String, _ path: String) {
    change(name) { $0.objects[path] = nil }
  }

  /// Makes a service unreachable for a reason.
  public func fail(_ name: String, with failure: BusFailure) {
    change(name) { $0 = BusView(.absent(failure)) }
  }

  /// Sets what a method answers from now on; without that it answers with nothing, successfully.
  public func answer(_ member: String, with result: Result<[BusValue], BusFailure>) {
    state.withLock { $0.answers[member] = result }
  }

  /// All calls so far, in order.
  public var calls: [BusCall] { state.withLock { $0.calls } }

  /// How many watch a service now.
  public func watchCount(of name: String) -> Int {
    state.withLock { state in state.holders.count { $0.service == name } }
  }

  /// How often a service that nothing watched was watched: each time, a real one is asked for all.
  public func beginnings(of name: String) -> Int { state.withLock { $0.beginnings[name] ?? 0 } }

  /// Watches what the test plays.
  public func watch(
    _ service: BusService, _ changed: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      if !state.holders.contains(where: { $0.service == service.name }) {
        state.beginnings[service.name, default: 0] += 1
      }
      state.holders.append(Holder(id: state.nextID, service: service.name, changed: changed))
      return state.nextID
    }
    return FixtureWatch(bus: self, id: id)
  }

  /// What the test plays; a service it never named does not run.
  public func view(of service: BusService, waiting limit: Int64) -> BusView {
    state.withLock { $0.views[service.name] }
      ?? BusView(.absent(Self.notRunning(service.name)))
  }

  /// Answers as the test has said.
  public func call(
    _ call: BusCall, _ answer: @escaping @Sendable (Result<[BusValue], BusFailure>) -> Void
  ) {
    let result = state.withLock { state in
      state.calls.append(call)
      return state.answers[call.member]
    }
    answer(result ?? .success([]))
  }

  /// The failure of a service that is not running.
  public static func notRunning(_ name: String) -> BusFailure {
    BusFailure(.notRunning(isActivatable: false), message: "\(name) is not running")
  }

  private func change(
    _ name: String, isListed: Bool = false, _ body: (inout BusView) -> Void
  ) {
    let holders = state.withLock { state in
      let listing = state.views[name]?.listing ?? 0
      body(&state.views[name, default: BusView(.running, owner: Self.owner)])
      state.views[name]?.listing = isListed ? listing : listing + 1
      return state.holders.filter { $0.service == name }
    }
    for holder in holders { holder.changed() }
  }

  fileprivate func end(_ id: Int) {
    // Handed out of the lock before they are released: what they hold may call back.
    _ = state.withLock { state in
      let ended = state.holders.filter { $0.id == id }
      state.holders.removeAll { $0.id == id }
      return ended
    }
  }
}

private struct FixtureWatch: Cancellable {
  let bus: FixtureBus
  let id: Int

  func cancel() { bus.end(id) }
}
