import Gathering
import Ground
import Machine

/// A link to positions of a service on the bus: the common part of all of them.
protocol ServiceLink: PositionLink {
  associatedtype State: ServiceLinkState

  var service: BusService { get }
  var bus: any MessageBus { get }
  var notices: (any ChangeNotices)? { get }
  var state: Monitor<State> { get }
  /// The service has appeared, disappeared or changed. Never waits.
  func review()
}

/// The state of every such link.
protocol ServiceLinkState: Sendable {
  var listeners: Int { get set }
  /// Counts beginnings: answers to the questions of an earlier one are late.
  var generation: Int { get set }
  var phase: LinkState.Phase { get set }
  var watch: (any Cancellable)? { get set }
  var receivers: [PositionReceiver] { get }
}

extension ServiceLink {
  var phase: LinkState.Phase { state.withLock { $0.phase } }
  var receivers: [PositionReceiver] { state.withLock { $0.receivers } }

  func awaitDecision(atMost limit: Int64) -> LinkState.Phase {
    state.wait(until: Monitor<Void>.moment(after: limit)) { state in
      state.phase == .connecting ? nil : state.phase
    } ?? phase
  }

  func awaitFirstReport(atMost limit: Int64) {
    _ = state.wait(until: Monitor<Void>.moment(after: limit)) { state in
      let isWaiting = state.phase == .connecting || state.phase == .connected
      return state.receivers.contains(where: \.hasReported) || !isWaiting ? true : nil
    }
  }

  func beginListening() {
    let isFirst = state.withLock { state in
      state.listeners += 1
      guard state.listeners == 1 else { return false }
      state.generation += 1
      state.phase = .connecting
      return true
    }
    guard isFirst else { return }
    let watch = bus.watch(service) { [weak self] in self?.review() }
    let isLate = state.withLock { state in
      if state.listeners > 0 && state.watch == nil { state.watch = watch }
      return state.listeners == 0
    }
    if isLate { return watch.cancel() }
    review()
  }

  /// Changes the state, and announces a change of the list.
  @discardableResult
  func change(_ body: (inout State) -> Bool?) -> Bool? {
    let isListNew = state.withLock(body)
    state.signalAll()
    if isListNew == true { notices?.send(ChangeNotice(topic: PositionTopic.list)) }
    return isListNew
  }
}
