import Ground

/// One subscription with its state, its connection to the input, and its alarm.
final class Seat<Work: SeatWork>: SubscriptionOwner {
  typealias Item = Work.Output

  private let hub: Hub<Item, Void>
  private let clock: (any Clock)?
  private let state: Lock<SeatState<Work>>

  init(_ work: Work, hub: Hub<Item, Void>, clock: (any Clock)?) {
    self.hub = hub
    self.clock = clock
    state = Lock(SeatState(work: work))
  }

  func open(
    _ receiver: Receiver<Item>, hello: (@Sendable () -> Item?)?, attach: () -> Connection
  ) -> Connection {
    let subscription = Subscription(receiver, hearsParts: false, owner: self)
    state.withLock { $0.subscription = subscription }
    hub.join(
      subscription, greeting: { _ in hello.map { Greeting(part: .whole, makeItem: $0) } },
      joined: {
        respond { $0.open(at: $1) }
        let input = attach()
        state.withLock { $0.input = input }
      })
    return Connection(closing: subscription)
  }

  func isRunning(_ subscription: Subscription<Item>) -> Bool { hub.isAt(subscription) }

  func release(_ subscription: Subscription<Item>) {
    hub.remove(subscription)
    let former = state.withLock { state in
      defer { state = SeatState(setting: state.setting + 1) }
      return state
    }
    former.input?.disconnect()
    former.alarm?.disconnect()
  }

  func receive(_ value: Work.Input) {
    respond { $0.receive(value, at: $1) }
  }

  private func ring(_ setting: Int) {
    respond(to: setting) { $0.ring(at: $1) }
  }

  /// Lets the work decide and carries out its answer: the alarm is set before anything is sent.
  private func respond(
    to setting: Int? = nil, _ decide: (inout Work, Moment) -> SeatResponse<Item>
  ) {
    let now = clock?.now ?? .zero
    let (response, order) = hub.prepare { hubState, isInside in
      state.withLock { state in
        guard let response = state.respond(to: setting, at: now, decide) else {
          return (SeatResponse<Item>?.none, AlarmOrder?.none)
        }
        if let value = response.value, let subscription = state.subscription,
          let root = hubState.lane.admit(inside: isInside)
        {
          let item = Greeting<Item>(part: .whole) { value }
          hubState.lane.append(item, of: subscription, root: root)
        }
        return (response, state.set(response.alarm))
      }
    }
    if let order { carryOut(order) }
    if response?.value != nil { hub.flush() }
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

private struct SeatState<Work: SeatWork>: Sendable {
  /// Nil once it is closed.
  var work: Work?
  var subscription: Subscription<Work.Output>?
  var input: Connection?
  var alarm: Connection?
  /// The number of the setting of the alarm that counts.
  var setting = 0

  /// Nil when it is closed, or when the alarm that rang no longer counts.
  mutating func respond(
    to setting: Int?, at now: Moment, _ decide: (inout Work, Moment) -> SeatResponse<Work.Output>
  ) -> SeatResponse<Work.Output>? {
    guard setting == nil || setting == self.setting, var work = work.take() else { return nil }
    defer { self.work = work }
    return decide(&work, now)
  }

  mutating func set(_ alarm: SeatResponse<Work.Output>.Alarm) -> AlarmOrder? {
    if alarm == .keep { return nil }
    setting += 1
    var due: Moment?
    if case .at(let moment) = alarm { due = moment }
    return AlarmOrder(setting: setting, due: due, former: self.alarm.take())
  }
}
