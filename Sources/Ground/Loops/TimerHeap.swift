/// What a loop runs once. A closure by itself would be wrapped anew, in memory of its own, each
/// time it goes into a list or out of it.
struct LoopAction: Sendable {
  private let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }

  func callAsFunction() { run() }
}

/// Actions ordered by time and, at the same moment, by insertion: a binary heap whose entries know
/// their position, so adding and removing cost O(log n).
struct TimerHeap {
  /// Names one action in the heap. It stays valid, and finds nothing, after the action was removed.
  struct Ticket: Sendable {
    fileprivate let slot: Int
    fileprivate let sequence: UInt64

    /// Names nothing.
    static let none = Ticket(slot: -1, sequence: 0)
  }

  private struct Entry {
    var moment: Int64
    let sequence: UInt64
    let slot: Int

    func precedes(_ other: Entry) -> Bool {
      moment != other.moment ? moment < other.moment : sequence < other.sequence
    }
  }

  private struct Slot {
    var action: LoopAction?
    var sequence: UInt64
    var position: Int
  }

  /// The number of the next action added; the numbers only increase.
  private(set) var nextSequence: UInt64 = 0
  private var entries: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []

  /// The earliest moment, or nil when there is none.
  var earliest: Int64? { entries.first?.moment }

  mutating func add(at moment: Int64, _ action: @escaping @Sendable () -> Void) -> Ticket {
    let sequence = nextSequence
    nextSequence += 1
    let slot = freeSlots.popLast() ?? slots.count
    let new = Slot(action: LoopAction(action), sequence: sequence, position: entries.count)
    if slot == slots.count { slots.append(new) } else { slots[slot] = new }
    entries.append(Entry(moment: moment, sequence: sequence, slot: slot))
    moveUp(from: entries.count - 1)
    return Ticket(slot: slot, sequence: sequence)
  }

  /// Removes an action; returns nil if it is not in the heap.
  mutating func remove(_ ticket: Ticket) -> LoopAction? {
    guard slots.indices.contains(ticket.slot) else { return nil }
    let slot = slots[ticket.slot]
    guard slot.sequence == ticket.sequence, slot.action != nil else { return nil }
    return take(at: slot.position)
  }

  /// Removes the first action due by `now`, if it was added before `limit`.
  mutating func takeDue(
    by now: Int64, addedBefore limit: UInt64 = .max
  ) -> LoopAction? {
    guard let first = entries.first, first.moment <= now, first.sequence < limit else { return nil }
    return take(at: 0)
  }

  /// Moves all actions later or earlier by a distance; their order stays.
  mutating func shift(by distance: Int64) {
    for index in entries.indices {
      let (moment, overflow) = entries[index].moment.addingReportingOverflow(distance)
      entries[index].moment = overflow ? .max : moment
    }
  }

  private mutating func take(at position: Int) -> LoopAction? {
    let slot = entries[position].slot
    let action = slots[slot].action
    slots[slot].action = nil
    freeSlots.append(slot)
    let last = entries.removeLast()
    if position < entries.count {
      place(last, at: position)
      moveUp(from: position)
      moveDown(from: slots[last.slot].position)
    }
    return action
  }

  private mutating func place(_ entry: Entry, at position: Int) {
    entries[position] = entry
    slots[entry.slot].position = position
  }

  private mutating func moveUp(from start: Int) {
    let entry = entries[start]
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard entry.precedes(entries[parent]) else { break }
      place(entries[parent], at: position)
      position = parent
    }
    place(entry, at: position)
  }

  private mutating func moveDown(from start: Int) {
    let entry = entries[start]
    var position = start
    while true {
      var child = 2 * position + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) { child += 1 }
      guard entries[child].precedes(entry) else { break }
      place(entries[child], at: position)
      position = child
    }
    place(entry, at: position)
  }
}
