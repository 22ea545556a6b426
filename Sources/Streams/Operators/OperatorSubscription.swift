import Ground

/// One subscription of a stateful stream: its operator, its connection to the input, its alarm.
final class OperatorSubscription<Operator: StreamOperator>: SubscriptionOwner {
  typealias Item = Operator.Output

  private let broadcaster: Broadcaster<Item, Void>
  private let clock: (any Clock)?
  private let state: Lock<SubscriptionState<Operator>>

  init(_ initial: Operator, broadcaster: Broadcaster<Item, Void>, clock: (any Clock)?) {
    self.broadcaster = broadcaster
    self.clock = clock
    state = Lock(SubscriptionState(current: initial))
  }

  func open(
    _ receiver: SubscriberCallbacks<Item>, hello: (@Sendable () -> Item?)?, attach: () -> Connection
  ) -> Connection {
    let subscription = Subscription(receiver, hearing: .ends, owner: self)
    state.withLock { $0.subscription = subscription }
    broadcaster.join(
      subscription,
      initialValue: { _ in hello.map { DirectedValue(part: .whole, makeItem: $0) } },
      joined: {
        respond { $0.open(at: $1) }
        let input = attach()
        state.withLock { $0.input = input }
      })
    return Connection(closing: subscription)
  }

  func isRunning(_ subscription: Subscription<Item>) -> Bool { broadcaster.isAt(subscription) }

  func release(_ subscription: Subscription<Item>) {
    broadcaster.remove(subscription)
    let former = state.withLock { state in
      defer { state = SubscriptionState(setting: state.setting + 1) }
      return state
    }
    former.input?.disconnect()
    former.alarm?.disconnect()
  }

  func receive(_ value: Operator.Input) {
    respond { $0.receive(value, at: $1) }
  }

  private func ring(_ setting: Int) {
    respond(to: setting) { $0.ring(at: $1) }
  }

  /// Lets the operator decide and carries out its effect: the alarm is set before anything is sent.
  private func respond(
    to setting: Int? = nil, _ decide: (inout Operator, Moment) -> OperatorEffect<Item>
  ) {
    let now = clock?.now ?? .zero
    let (effect, order) = broadcaster.prepare { broadcasterState, isInside in
      state.withLock { state in
        guard let effect = state.respond(to: setting, at: now, decide) else {
          return (OperatorEffect<Item>?.none, AlarmOrder?.none)
        }
        if let value = effect.value, let subscription = state.subscription,
          let root = broadcasterState.queue.admit(inside: isInside)
        {
          let item = DirectedValue<Item>(part: .whole) { value }
          broadcasterState.queue.append(item, of: subscription, root: root)
        }
        return (effect, state.set(effect.alarm))
      }
    }
    if let order { carryOut(order) }
    if effect?.value != nil { broadcaster.flush() }
  }

  private func carryOut(_ order: AlarmOrder) {
    order.former?.disconnect()
    guard let due = order.due, let clock else { return }
    let alarm = clock.alarm(at: due) { [weak self] in self?.ring(order.setting) }
    let unwanted = state.withLock { state in
      guard state.setting == order.setting else { return Connection?.some(alarm) }
      state.alarm = alarm
      return nil
    }
    unwanted?.disconnect()
  }
}

/// An alarm to call off and a moment to set a new one for.
private struct AlarmOrder: Sendable {
  let setting: Int
  let due: Moment?
  let former: Connection?
}

private struct SubscriptionState<Operator: StreamOperator>: Sendable {
  /// Nil once it is closed.
  var current: Operator?
  var subscription: Subscription<Operator.Output>?
  var input: Connection?
  var alarm: Connection?
  /// The number of the setting of the alarm that counts.
  var setting = 0

  /// Nil if the subscription is closed, or if the alarm that fired no longer counts.
  mutating func respond(
    to setting: Int?, at now: Moment,
    _ decide: (inout Operator, Moment) -> OperatorEffect<Operator.Output>
  ) -> OperatorEffect<Operator.Output>? {
    guard setting == nil || setting == self.setting, var current = current.take() else {
      return nil
    }
    defer { self.current = current }
    return decide(&current, now)
  }

  mutating func set(_ alarm: OperatorEffect<Operator.Output>.Alarm) -> AlarmOrder? {
    if alarm == .keep { return nil }
    setting += 1
    var due: Moment?
    if case .at(let moment) = alarm { due = moment }
    return AlarmOrder(setting: setting, due: due, former: self.alarm.take())
  }
}
