import Ground

/// Reports when a daemon of this computer starts or stops listening on its port.
///
/// No event announces this, so the port is checked after 1, 2, 4 … 30 s (sources H4), without
/// connecting. A daemon on another machine is not checked.
final class ServiceNotices: Cancellable {
  private struct State {
    var found: ListeningPorts.Finding
    var delays = RetryDelays()
    var timer: (any Cancellable)?
    var isCancelled = false
  }

  private let address: ServiceAddress
  private let ports: ListeningPorts
  private let loop: any Loop
  private let changed: @Sendable () -> Void
  private let state: Monitor<State>

  init(
    of service: ServiceAccess, on loop: any Loop, _ changed: @escaping @Sendable () -> Void
  ) {
    address = service.address
    ports = service.ports
    self.loop = loop
    self.changed = changed
    state = Monitor(State(found: address.isLocal ? ports.look(at: address) : .unknown))
    if address.isLocal { arm() }
  }

  func cancel() {
    let timer = state.withLock { state in
      state.isCancelled = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  private func arm() {
    let delay = state.withLock { $0.delays.next() }
    let timer = loop.schedule(at: loop.now + .nanoseconds(delay)) { [weak self] in self?.look() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.timer = timer }
      return state.isCancelled
    }
    if isCancelled { timer.cancel() }
  }

  private func look() {
    let found = ports.look(at: address)
    let isNews = state.withLock { state in
      defer { state.found = found }
      if state.isCancelled || state.found == found { return false }
      state.delays = RetryDelays()
      return true
    }
    if isNews { changed() }
    if !state.withLock({ $0.isCancelled }) { arm() }
  }
}
