/// What a variable holds: its value, and how deep in a transaction it is.
///
/// A transaction is announced as entries in the lane. One that is being announced can be joined
/// from an `updates` sink even after its end has been placed: the end is taken back, and placed
/// again behind what joined.
struct Transaction<Value: Sendable>: Sendable {
  var value: Value
  private(set) var depth = 0
  /// The place of the last change of the present or last transaction, 0 without any.
  private var changedAt: UInt64 = 0
  /// Whether the cascade had no room for the transaction, so that nothing is said of it.
  private var isSilenced = false
  /// Whether the cascade has counted the begin of the open transaction, and with it one change.
  private var isPrepaid = false

  /// What a call no longer needs, to be let go outside the lock.
  struct Spent: Sendable {
    var value: Value?
    var entries: [Entry<Step<Value>>] = []
  }

  init(_ value: Value) {
    self.value = value
  }

  /// Stores and announces a value; nil when the cascade is full.
  mutating func set(_ new: Value, in lane: inout Lane<Step<Value>>, isInside: Bool) -> Spent? {
    if isSilenced, depth > 0, isInside { return nil }
    guard let root = lane.admit(inside: isInside) else { return nil }
    return store(new, in: &lane, root: root, isInside: isInside)
  }

  /// Follows what has already happened elsewhere: it is stored whatever the cascade says, and
  /// announced if the cascade has room.
  ///
  /// A begin and the change after it count as one, as in the input they come from.
  mutating func report(_ new: Value, in lane: inout Lane<Step<Value>>, isInside: Bool) -> Spent {
    if isPrepaid, depth > 0 {
      isPrepaid = false
      return store(new, in: &lane, root: lane.root(inside: isInside), isInside: isInside)
    }
    return set(new, in: &lane, isInside: isInside) ?? store(new)
  }

  /// Stores what the cascade has no room to announce.
  mutating func store(_ new: Value) -> Spent {
    defer { value = new }
    return Spent(value: value)
  }

  private mutating func store(
    _ new: Value, in lane: inout Lane<Step<Value>>, root: UInt64, isInside: Bool
  ) -> Spent {
    var spent = Spent()
    let change = ValueChange(old: value, new: new)
    spent.value = value
    value = new
    if depth > 0 {
      if joins(lane, isInside) { spent.entries = reopen(in: &lane) }
      changedAt = announce(.change(change), .change, in: &lane, root: root)
    } else if joins(lane, isInside) {
      spent.entries = reopen(in: &lane)
      changedAt = announce(.change(change), .change, in: &lane, root: root)
      announceEnd(in: &lane, root: root)
    } else {
      _ = announce(.begin, .begin, in: &lane, root: root)
      changedAt = announce(.change(change), .change, in: &lane, root: root)
      announceEnd(in: &lane, root: root)
    }
    return spent
  }

  mutating func begin(in lane: inout Lane<Step<Value>>, isInside: Bool) -> Spent {
    defer { depth += 1 }
    var spent = Spent()
    if joins(lane, isInside) {
      spent.entries = reopen(in: &lane)
    } else if depth == 0 {
      changedAt = 0
      let root = lane.admit(inside: isInside)
      isSilenced = root == nil
      isPrepaid = root != nil
      if let root { _ = announce(.begin, .begin, in: &lane, root: root) }
    }
    return spent
  }

  /// False when no transaction is open.
  mutating func end(in lane: inout Lane<Step<Value>>, isInside: Bool) -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    guard depth == 0 else { return true }
    defer { isSilenced = false }
    if !isSilenced || changedAt > 0 {
      announceEnd(in: &lane, root: lane.root(inside: isInside))
    }
    return true
  }

  /// Whether the caller is a sink that is just hearing of a transaction that has not ended.
  private func joins(_ lane: Lane<Step<Value>>, _ isInside: Bool) -> Bool {
    isInside && (lane.currentPart == .begin || lane.currentPart == .change)
  }

  /// Takes back the end of the transaction being announced, and the bounds of those behind it:
  /// they become part of it.
  private mutating func reopen(in lane: inout Lane<Step<Value>>) -> [Entry<Step<Value>>] {
    let bounds = lane.takeWaitingBounds()
    for case .item(.end(_, let place)) in bounds.map(\.content) {
      changedAt = max(changedAt, place)
    }
    return bounds
  }

  private func announce(
    _ step: Step<Value>, _ part: Part, in lane: inout Lane<Step<Value>>, root: UInt64
  ) -> UInt64 {
    // Who hears only ends need not be called for the parts before them.
    guard lane.roster.partwiseCount > 0 else { return lane.takePlace() }
    return lane.append(step, root: root, part: part)
  }

  private func announceEnd(in lane: inout Lane<Step<Value>>, root: UInt64) {
    guard !lane.roster.isEmpty else { return }
    _ = lane.append(.end(latest: value, changedAt: changedAt), root: root, part: .end)
  }
}
