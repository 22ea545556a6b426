import Ground
import Synchronization

/// The single delivery core: every stream that calls sinks does it through a broadcaster.
///
/// The lock guards the order (`DeliveryQueue`) and the stream's own state (`Held`); it is never
/// held while a sink or other user code runs. One thread at a time drains. `position` shows whether
/// a thread drains, at which subscriber it is, and whether values were placed meanwhile. It leaves
/// `idle` under the lock only, and returns to it either under the lock or by an exchange that fails
/// if values were placed.
///
/// Longer than 300 lines: sending, draining, joining and leaving share one state and its lock.
final class Broadcaster<Item: Sendable, Held: Sendable>: Sendable {
  struct State: Sendable {
    var queue: DeliveryQueue<Item>
    var held: Held
  }

  /// The next step of a drain.
  enum Step {
    case item(
      Item, place: UInt64, members: ContiguousArray<SubscriberList<Item>.Member>, more: Bool)
    case directed(Subscription<Item>, @Sendable () -> Item?, more: Bool)
  }

  let state: Lock<State>
  /// 0 while idle, else the bits below and the address of the subscriber the drain is at.
  let position = Atomic<UInt>(idle)

  static var idle: UInt { 0 }
  static var draining: UInt { 1 }
  private static var news: UInt { 2 }

  init(cascadeLimit: Int, held: Held) {
    state = Lock(
      State(queue: DeliveryQueue(cascadeLimit: cascadeLimit), held: held), rank: .broadcaster)
  }

  var subscriberCount: Int { state.withLock { $0.queue.subscribers.count } }

  var cascadeLimit: Int {
    get { state.withLock { $0.queue.cascadeLimit } }
    set { state.withLock { $0.queue.cascadeLimit = newValue } }
  }

  func read<Result: Sendable>(_ body: (Held) -> Result) -> Result {
    state.withLock { body($0.held) }
  }

  /// Reads the state, and whether a drain is running.
  func inspect<Result: Sendable>(_ body: (State, _ isBusy: Bool) -> Result) -> Result {
    state.withLock { body($0, position.load(ordering: .acquiring) != Self.idle) }
  }

  // MARK: Placing

  private enum Placement {
    case discarded, refused, queued, drain
    case deliver(place: UInt64, ContiguousArray<SubscriberList<Item>.Member>)
  }

  /// Sends one whole value.
  @_optimize(speed)
  func send(_ item: Item) -> Delivery {
    switch state.withLock({ place(item, in: &$0) }) {
    case .discarded: return .delivered
    case .refused: return .refused(.cascadeLimit)
    case .queued: return .queued
    case .drain: drain()
    case .deliver(let place, let members):
      if !pass(item, place, members, false, isAtFirst: true) { drain() }
    }
    return .delivered
  }

  @_optimize(speed)
  private func place(_ item: Item, in state: inout State) -> Placement {
    if state.queue.subscribers.isEmpty { return .discarded }
    let isIdle = position.load(ordering: .acquiring) == Self.idle
    if isIdle, state.queue.isEmpty { return enter(&state) }
    guard let root = state.queue.admit(inside: !isIdle && state.queue.isInsideSink()) else {
      return .refused
    }
    _ = state.queue.append(item, root: root)
    return claim(&state) ? .drain : .queued
  }

  /// Has `store` store something in the stream's state at a place, and delivers the item of that,
  /// before it returns. False if nothing is stored, if something else waits or is delivered, or a
  /// subscriber needs parts.
  @inline(__always)
  func sendWhole(
    _ store: (inout Held, _ place: UInt64) -> Bool, _ item: (_ place: UInt64) -> Item
  ) -> Bool {
    let placement = state.withLock { state -> Placement in
      guard position.load(ordering: .acquiring) == Self.idle, state.queue.isEmpty,
        state.queue.subscribers.takesWhole, store(&state.held, state.queue.lastPlace &+ 1)
      else { return .refused }
      if state.queue.subscribers.isEmpty {
        _ = state.queue.takePlace()
        return .discarded
      }
      return enter(&state)
    }
    guard case .deliver(let place, let members) = placement else {
      if case .discarded = placement { return true }
      return false
    }
    if !pass(item(place), place, members, false, isAtFirst: true) { drain() }
    return true
  }

  /// Begins the delivery of one value on an idle stream.
  @inline(__always)
  private func enter(_ state: inout State) -> Placement {
    // The thread that closes the first subscriber takes the lock too, between writing its fate
    // and looking here: one of the two sees the other without an exchange of its own.
    let first = state.queue.subscribers.members[0].reference
    position.store(first.map(address(of:)) ?? Self.draining, ordering: .relaxed)
    state.queue.start()
    return .deliver(place: state.queue.enter(), state.queue.subscribers.members)
  }

  /// Gives one whole value its place; the next drain delivers it.
  func enqueue(_ item: Item) -> Delivery {
    state.withLock { state in
      if state.queue.subscribers.isEmpty { return .delivered }
      let isBusy = position.load(ordering: .acquiring) != Self.idle
      let isInside = isBusy && state.queue.isInsideSink()
      guard let root = state.queue.admit(inside: isInside) else { return .refused(.cascadeLimit) }
      _ = state.queue.append(item, root: root)
      // A drain that is running takes it along; an idle stream stays idle.
      if isBusy { announceNews() }
      return .queued
    }
  }

  /// Delivers all queued values.
  func flush() {
    if state.withLock({ !$0.queue.isEmpty && claim(&$0) }) { drain() }
  }

  /// Calls `body` to place values, with whether the caller is inside a sink, and delivers them.
  func place<Result: Sendable>(
    _ body: (inout State, _ isInside: Bool) -> Result
  ) -> (result: Result, delivery: Delivery) {
    let (result, mustDrain, isQueued) = state.withLock { state in
      let isBusy = position.load(ordering: .acquiring) != Self.idle
      let result = body(&state, isBusy && state.queue.isInsideSink())
      if state.queue.isEmpty { return (result, false, false) }
      let mustDrain = claim(&state)
      return (result, mustDrain, !mustDrain)
    }
    if mustDrain { drain() }
    return (result, isQueued ? .queued : .delivered)
  }

  /// Calls `body` to place values without delivering them; the next drain delivers them.
  func prepare<Result: Sendable>(
    _ body: (inout State, _ isInside: Bool) -> Result
  ) -> Result {
    state.withLock { state in
      let isBusy = position.load(ordering: .acquiring) != Self.idle
      let result = body(&state, isBusy && state.queue.isInsideSink())
      if isBusy, !state.queue.isEmpty { announceNews() }
      return result
    }
  }

  /// Makes the caller the drainer of all queued values, unless another thread drains, which is
  /// notified instead.
  func claim(_ state: inout State) -> Bool {
    if position.load(ordering: .acquiring) != Self.idle, announceNews() { return false }
    position.store(Self.draining, ordering: .relaxed)
    state.queue.start()
    return true
  }

  /// False when the drain has ended in the meantime.
  @discardableResult
  private func announceNews() -> Bool {
    let was = position.bitwiseOr(Self.news, ordering: .acquiringAndReleasing).oldValue
    if was == Self.idle { position.store(Self.idle, ordering: .relaxed) }
    return was != Self.idle
  }

  // MARK: Draining

  /// Delivers until nothing waits; only for the thread that has claimed the drain.
  func drain() {
    while let step = next() {
      if deliver(step) { return }
    }
  }

  /// Carries out one step; true when the stream has become idle with it.
  @discardableResult
  func deliver(_ step: Step) -> Bool {
    switch step {
    case .item(let item, let place, let members, let more):
      return pass(item, place, members, more)
    case .directed(let subscription, let makeItem, let more):
      let seen = position.exchange(address(of: subscription), ordering: .sequentiallyConsistent)
      subscription.deliver(madeBy: makeItem)
      return leave(.passUnretained(subscription), mayRest: !more && seen & Self.news == 0)
    }
  }

  @_optimize(speed)
  @discardableResult
  func pass(
    _ item: Item, _ place: UInt64, _ members: ContiguousArray<SubscriberList<Item>.Member>,
    _ more: Bool, isAtFirst: Bool = false
  ) -> Bool {
    var seen: UInt = more ? Self.news : 0
    var last: Unmanaged<Subscription<Item>>?
    for index in members.indices {
      // A subscriber that replaced another one may stand before earlier ones.
      guard members[index].first <= place else { continue }
      guard let reference = members[index].reference else { continue }
      reference._withUnsafeGuaranteedRef { subscription in
        if index > 0 || !isAtFirst {
          seen |= position.exchange(address(of: subscription), ordering: .sequentiallyConsistent)
          last?._withUnsafeGuaranteedRef { $0.finishIfClosed() }
        }
        subscription.deliver(item)
      }
      last = reference
    }
    return leave(last, mayRest: seen & Self.news == 0)
  }

  /// Moves on from the last subscriber; true when the stream is idle with that.
  @inline(__always)
  private func leave(_ last: Unmanaged<Subscription<Item>>?, mayRest: Bool) -> Bool {
    let here = last.map(address(of:)) ?? Self.draining
    let (rests, _) =
      mayRest
      ? position.compareExchange(
        expected: here, desired: Self.idle, ordering: .sequentiallyConsistent)
      : (false, here)
    // Values placed meanwhile do not matter: the caller checks the queue.
    if !rests { _ = position.exchange(Self.draining, ordering: .sequentiallyConsistent) }
    last?._withUnsafeGuaranteedRef { $0.finishIfClosed() }
    return rests
  }

  @inline(__always)
  private func address(of subscription: Subscription<Item>) -> UInt {
    UInt(bitPattern: ObjectIdentifier(subscription)) | Self.draining
  }

  @inline(__always)
  private func address(of subscription: Unmanaged<Subscription<Item>>) -> UInt {
    UInt(bitPattern: subscription.toOpaque()) | Self.draining
  }

  /// The oldest queued item; nil if there is none, and the stream then becomes idle.
  func next() -> Step? {
    state.withLock { state in
      guard let entry = state.queue.next() else {
        position.store(Self.idle, ordering: .sequentiallyConsistent)
        return nil
      }
      let more = !state.queue.isEmpty
      switch entry.content {
      case .item(let item):
        let members = state.queue.subscribers.members
        return .item(item, place: entry.place, members: members, more: more)
      case .directed(let subscription, let makeItem):
        return .directed(subscription, makeItem, more: more)
      }
    }
  }

  // MARK: Subscribers

  /// Whether the drain is at this subscriber.
  func isAt(_ subscription: Subscription<Item>) -> Bool {
    position.load(ordering: .sequentiallyConsistent) & ~Self.news == address(of: subscription)
  }

  /// Adds a subscriber and delivers its initial value, which is computed under the lock at the
  /// place of the subscription; `joined` is called between the two.
  func join(
    _ subscription: Subscription<Item>, initialValue: (State) -> DirectedValue<Item>?,
    joined: () -> Void
  ) {
    let mustDrain = state.withLock { state in
      let isBusy = position.load(ordering: .acquiring) != Self.idle
      state.queue.join(subscription)
      guard let value = initialValue(state) else { return false }
      // Beyond the limit the initial value is dropped, not the subscription.
      let isInside = isBusy && state.queue.isInsideSink()
      guard let root = state.queue.admit(inside: isInside) else { return false }
      state.queue.append(value, of: subscription, root: root)
      return claim(&state)
    }
    joined()
    if mustDrain { drain() }
  }

  func remove(_ subscription: Subscription<Item>) {
    // Values queued for the last subscriber are freed here, outside the lock.
    let unheard = state.withLock { $0.queue.leave(subscription) }
    _ = consume unheard
  }
}
