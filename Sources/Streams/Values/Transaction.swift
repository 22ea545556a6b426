/// The state of a variable: its value, and the nesting depth of its transaction.
///
/// A transaction is announced as entries in the queue. While it is being announced, an `updates`
/// sink can join it even after its end has been placed: the end is removed, and placed again after
/// the joined change.
struct Transaction<Value: Sendable>: Sendable {
  var value: Value
  private(set) var depth = 0
  /// The place of the last change of the present or last transaction, 0 without any.
  private var changedAt: UInt64 = 0
  /// Whether the cascade had no room for the transaction, so that it is not announced.
  private var isSilenced = false
  /// Whether the cascade has counted the begin of the open transaction, and with it one change.
  private var isPrepaid = false

  /// Objects a call no longer needs, to be released outside the lock.
  struct Spent: Sendable {
    var value: Value?
    var entries: [Entry<Step<Value>>] = []
  }

  init(_ value: Value) {
    self.value = value
  }

  /// Stores and announces a value; nil when the cascade is full.
  mutating func set(_ new: Value, in queue: inout DeliveryQueue<Step<Value>>, isInside: Bool)
    -> Spent?
  {
    if isSilenced, depth > 0, isInside { return nil }
    guard let root = queue.admit(inside: isInside) else { return nil }
    return store(new, in: &queue, root: root, isInside: isInside)
  }

  /// Changes places with a value, as a transaction of its own that is reported as a whole, with its
  /// end; false while one is open. The caller releases the former value.
  @inline(__always)
  mutating func storeWhole(_ new: inout Value, at place: UInt64) -> Bool {
    guard depth == 0 else { return false }
    swap(&value, &new)
    changedAt = place
    return true
  }

  /// Follows a change made elsewhere: it is stored even if the cascade is full, and announced if
  /// the cascade has room.
  ///
  /// A begin and the change after it count as one, as in the input they come from.
  mutating func report(_ new: Value, in queue: inout DeliveryQueue<Step<Value>>, isInside: Bool)
    -> Spent
  {
    if isPrepaid, depth > 0 {
      isPrepaid = false
      return store(new, in: &queue, root: queue.root(inside: isInside), isInside: isInside)
    }
    return set(new, in: &queue, isInside: isInside) ?? store(new)
  }

  /// Stores a value that the cascade has no room to announce.
  mutating func store(_ new: Value) -> Spent {
    defer { value = new }
    return Spent(value: value)
  }

  private mutating func store(
    _ new: Value, in queue: inout DeliveryQueue<Step<Value>>, root: UInt64, isInside: Bool
  ) -> Spent {
    var spent = Spent()
    let change = ValueChange(old: value, new: new)
    spent.value = value
    value = new
    if depth > 0 {
      if joins(queue, isInside) { spent.entries = reopen(in: &queue) }
      changedAt = announce(.change(change), .change, in: &queue, root: root)
    } else if joins(queue, isInside) {
      spent.entries = reopen(in: &queue)
      changedAt = announce(.change(change), .change, in: &queue, root: root)
      announceEnd(in: &queue, root: root)
    } else {
      _ = announce(.begin, .begin, in: &queue, root: root)
      changedAt = announce(.change(change), .change, in: &queue, root: root)
      announceEnd(in: &queue, root: root)
    }
    return spent
  }

  mutating func begin(in queue: inout DeliveryQueue<Step<Value>>, isInside: Bool) -> Spent {
    defer { depth += 1 }
    var spent = Spent()
    if joins(queue, isInside) {
      spent.entries = reopen(in: &queue)
    } else if depth == 0 {
      changedAt = 0
      let root = queue.admit(inside: isInside)
      isSilenced = root == nil
      isPrepaid = root != nil
      if let root { _ = announce(.begin, .begin, in: &queue, root: root) }
    }
    return spent
  }

  /// False when no transaction is open.
  mutating func end(in queue: inout DeliveryQueue<Step<Value>>, isInside: Bool) -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    guard depth == 0 else { return true }
    defer { isSilenced = false }
    if !isSilenced || changedAt > 0 {
      announceEnd(in: &queue, root: queue.root(inside: isInside))
    }
    return true
  }

  /// Whether the caller is a sink that is just hearing of a transaction that has not ended.
  private func joins(_ queue: DeliveryQueue<Step<Value>>, _ isInside: Bool) -> Bool {
    isInside && (queue.currentPart == .begin || queue.currentPart == .change)
  }

  /// Removes the end of the transaction being announced, and the bounds of those behind it: they
  /// become part of it.
  private mutating func reopen(in queue: inout DeliveryQueue<Step<Value>>) -> [Entry<Step<Value>>] {
    let bounds = queue.takeWaitingBounds()
    for bound in bounds {
      guard case .item(.end(_, let place)) = bound.content else { continue }
      changedAt = max(changedAt, place)
    }
    return bounds
  }

  private func announce(
    _ step: Step<Value>, _ part: Part, in queue: inout DeliveryQueue<Step<Value>>, root: UInt64
  ) -> UInt64 {
    // Subscribers that receive only ends need not be called for the parts before them.
    guard queue.subscribers.partwiseCount > 0 else { return queue.takePlace() }
    return queue.append(step, root: root, part: part)
  }

  private func announceEnd(in queue: inout DeliveryQueue<Step<Value>>, root: UInt64) {
    guard !queue.subscribers.isEmpty else { return }
    _ = queue.append(.end(latest: value, changedAt: changedAt), root: root, part: .end)
  }
}
