import Synchronization

/// The subscribers of a stream in the order they came; joining and leaving are O(1) amortised.
///
/// A copy is a consistent picture for one pass: later changes do not reach it.
struct SubscriberList<Item: Sendable>: Sendable {
  struct Member: Sendable {
    /// The first place in the order that this subscriber may receive.
    let first: UInt64
    /// Nil once the subscriber was removed; compaction removes the slot.
    private(set) var subscription: Subscription<Item>?
    /// The same, for a pass that holds the list and need not count references.
    private(set) var reference: Unmanaged<Subscription<Item>>?

    init(_ subscription: Subscription<Item>, first: UInt64) {
      self.first = first
      self.subscription = subscription
      reference = .passUnretained(subscription)
    }

    mutating func clear() {
      subscription = nil
      reference = nil
    }
  }

  private(set) var members: ContiguousArray<Member> = []
  private(set) var count = 0
  /// The number of subscribers that receive the parts of a transaction one by one.
  private(set) var partwiseCount = 0
  /// The only one of them, if it is a node that takes whole transactions.
  private(set) var onlyDependant: Dependant?

  var isEmpty: Bool { count == 0 }

  /// Whether a transaction of one change may be told as a whole.
  var takesWhole: Bool {
    partwiseCount == 0 || onlyDependant.map { !$0.tellsParts } ?? false
  }

  mutating func add(_ subscription: Subscription<Item>, first: UInt64) {
    subscription.slot.store(members.count, ordering: .relaxed)
    members.append(Member(subscription, first: first))
    count += 1
    guard subscription.hearing.isPartwise else { return }
    partwiseCount += 1
    onlyDependant = partwiseCount == 1 ? subscription.hearing.dependant : nil
  }

  /// Puts a subscriber where another stands, who is out with that; false when that one is not in.
  mutating func replace(
    _ former: Subscription<Item>, by subscription: Subscription<Item>, first: UInt64
  ) -> Bool {
    let slot = former.slot.load(ordering: .relaxed)
    guard slot >= 0 else { return false }
    former.slot.store(-1, ordering: .relaxed)
    subscription.slot.store(slot, ordering: .relaxed)
    members[slot] = Member(subscription, first: first)
    return true
  }

  /// Takes a subscriber out; false when it is not in.
  mutating func remove(_ subscription: Subscription<Item>) -> Bool {
    let slot = subscription.slot.load(ordering: .relaxed)
    guard slot >= 0 else { return false }
    subscription.slot.store(-1, ordering: .relaxed)
    members[slot].clear()
    count -= 1
    if subscription.hearing.isPartwise {
      partwiseCount -= 1
      let isOne = { (member: Member) in member.subscription?.hearing.isPartwise == true }
      onlyDependant =
        partwiseCount == 1 ? members.first(where: isOne)?.subscription?.hearing.dependant : nil
    }
    if count * 2 < members.count { compact() }
    return true
  }

  /// Marks all as removed; the list is then only read once more.
  func markAllGone() {
    for member in members { member.subscription?.slot.store(-1, ordering: .relaxed) }
  }

  private mutating func compact() {
    members = members.filter { $0.subscription != nil }
    for (slot, member) in members.enumerated() {
      member.subscription?.slot.store(slot, ordering: .relaxed)
    }
  }
}
