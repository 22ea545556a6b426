public import Ground
public import Machine

/// Kernel notices that a test sends by hand.
public final class FixtureNotices: ChangeNotices {
  private struct Subscriber {
    let id: Int
    let topic: ChangeTopic
    let loop: any Loop
    let notify: @Sendable (ChangeNotice) -> Void
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var nextID = 0
    var faults: [ChangeTopic: Int32] = [:]
  }

  private let state = Lock(State())

  /// No notice has been sent yet.
  public init() {}

  /// Sends a notice to all subscribers of its topic, each on its loop.
  public func send(_ notice: ChangeNotice) {
    let subscribers = state.withLock { state in
      state.subscribers.filter { $0.topic == notice.topic }
    }
    for subscriber in subscribers {
      subscriber.loop.submit { [self] in
        if isSubscribed(subscriber.id) { subscriber.notify(notice) }
      }
    }
  }

  /// Makes later subscriptions to a topic fail with an errno; nil mends it.
  public func fail(_ topic: ChangeTopic, with code: Int32?) {
    state.withLock { $0.faults[topic] = code }
  }

  /// How many listen to a topic now.
  public func subscriberCount(of topic: ChangeTopic) -> Int {
    state.withLock { state in state.subscribers.count { $0.topic == topic } }
  }

  /// Subscribes to what the test sends.
  public func subscribe(
    to topic: ChangeTopic, on loop: any Loop, _ notify: @escaping @Sendable (ChangeNotice) -> Void
  ) throws(SystemError) -> any Cancellable {
    let id = try state.withLock { state throws(SystemError) -> Int in
      if let code = state.faults[topic] { throw SystemError(code, at: "\(topic)") }
      defer { state.nextID += 1 }
      state.subscribers.append(
        Subscriber(id: state.nextID, topic: topic, loop: loop, notify: notify))
      return state.nextID
    }
    return FixtureSubscription(notices: self, id: id)
  }

  private func isSubscribed(_ id: Int) -> Bool {
    state.withLock { state in state.subscribers.contains { $0.id == id } }
  }

  fileprivate func end(_ id: Int) {
    // Handed out of the lock before they are released: what they hold may call back.
    _ = state.withLock { state in
      let ended = state.subscribers.filter { $0.id == id }
      state.subscribers.removeAll { $0.id == id }
      return ended
    }
  }
}

private struct FixtureSubscription: Cancellable {
  let notices: FixtureNotices
  let id: Int

  func cancel() {
    notices.end(id)
  }
}
