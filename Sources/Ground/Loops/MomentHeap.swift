/// What is due when: contents ordered by moment and, at the same moment, by insertion.
///
/// A binary heap whose entries know their position, so adding and removing cost O(log n).
@frozen
public struct MomentHeap<Content> {
  /// Names one content in the heap. It stays valid, and finds nothing, after that was removed.
  @frozen
  public struct Ticket: Sendable {
    @usableFromInline let slot: Int
    @usableFromInline let sequence: UInt64

    @inlinable
    init(slot: Int, sequence: UInt64) { (self.slot, self.sequence) = (slot, sequence) }

    /// Names nothing.
    @inlinable public static var none: Ticket { Ticket(slot: -1, sequence: 0) }
  }

  @frozen @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var moment: Int64
    @usableFromInline let sequence: UInt64
    @usableFromInline let slot: Int

    @inlinable
    init(moment: Int64, sequence: UInt64, slot: Int) {
      (self.moment, self.sequence, self.slot) = (moment, sequence, slot)
    }

    @inlinable
    func precedes(_ other: Entry) -> Bool {
      moment != other.moment ? moment < other.moment : sequence < other.sequence
    }
  }

  @frozen @usableFromInline
  struct Slot {
    @usableFromInline var content: Content?
    @usableFromInline var sequence: UInt64
    @usableFromInline var position: Int

    @inlinable
    init(content: Content, sequence: UInt64, position: Int) {
      (self.content, self.sequence, self.position) = (content, sequence, position)
    }
  }

  /// The number of the next content added; the numbers only increase.
  @usableFromInline var nextSequence: UInt64 = 0
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var freeSlots: [Int] = []

  /// Makes an empty heap.
  @inlinable
  public init() {}

  /// The earliest moment, or nil when there is none.
  @inlinable public var earliest: Int64? { entries.first?.moment }

  /// Adds a content that is due at a moment.
  @inlinable
  public mutating func add(_ content: Content, at moment: Int64) -> Ticket {
    let sequence = nextSequence
    nextSequence += 1
    let slot = freeSlots.popLast() ?? slots.count
    let new = Slot(content: content, sequence: sequence, position: entries.count)
    if slot == slots.count { slots.append(new) } else { slots[slot] = new }
    entries.append(Entry(moment: moment, sequence: sequence, slot: slot))
    moveUp(from: entries.count - 1)
    return Ticket(slot: slot, sequence: sequence)
  }

  /// Removes a content; returns nil if it is not in the heap.
  @inlinable
  public mutating func remove(_ ticket: Ticket) -> Content? {
    guard slots.indices.contains(ticket.slot) else { return nil }
    guard slots[ticket.slot].sequence == ticket.sequence, slots[ticket.slot].content != nil else {
      return nil
    }
    return take(at: slots[ticket.slot].position)
  }

  /// Removes the first content due by `now`, if it was added before `limit`.
  @inlinable
  public mutating func takeDue(by now: Int64, addedBefore limit: UInt64 = .max) -> Content? {
    isDue(by: now, addedBefore: limit) ? take(at: 0) : nil
  }

  /// Whether the first content is due by `now` and was added before `limit`.
  @inlinable
  public func isDue(by now: Int64, addedBefore limit: UInt64 = .max) -> Bool {
    guard let first = entries.first else { return false }
    return first.moment <= now && first.sequence < limit
  }

  /// The content that is first; nil when there is none.
  @inlinable public var first: Content? { entries.first.flatMap { slots[$0.slot].content } }

  /// Makes the first content, which there must be, due at another moment, as if it was added now.
  @inlinable
  public mutating func moveFirst(to moment: Int64) {
    let slot = entries[0].slot
    entries[0] = Entry(moment: moment, sequence: nextSequence, slot: slot)
    nextSequence += 1
    moveDown(from: 0)
  }

  /// Moves all contents later or earlier by a distance; their order stays.
  @inlinable
  public mutating func shift(by distance: Int64) {
    for index in entries.indices {
      let (moment, overflow) = entries[index].moment.addingReportingOverflow(distance)
      entries[index].moment = overflow ? .max : moment
    }
  }

  @inlinable
  mutating func take(at position: Int) -> Content? {
    let slot = entries[position].slot
    let content = slots[slot].content.take()
    freeSlots.append(slot)
    let last = entries.removeLast()
    if position < entries.count {
      entries[position] = last
      slots[last.slot].position = position
      moveUp(from: position)
      moveDown(from: slots[last.slot].position)
    }
    return content
  }

  @inlinable
  mutating func moveUp(from start: Int) {
    entries.withUnsafeMutableBufferPointer { entries in
      slots.withUnsafeMutableBufferPointer { slots in
        let entry = entries[start]
        var position = start
        while position > 0 {
          let parent = (position - 1) / 2
          guard entry.precedes(entries[parent]) else { break }
          entries[position] = entries[parent]
          slots[entries[position].slot].position = position
          position = parent
        }
        entries[position] = entry
        slots[entry.slot].position = position
      }
    }
  }

  @inlinable
  mutating func moveDown(from start: Int) {
    entries.withUnsafeMutableBufferPointer { entries in
      slots.withUnsafeMutableBufferPointer { slots in
        let entry = entries[start]
        var position = start
        while true {
          var child = 2 * position + 1
          guard child < entries.count else { break }
          if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) { child += 1 }
          guard entries[child].precedes(entry) else { break }
          entries[position] = entries[child]
          slots[entries[position].slot].position = position
          position = child
        }
        entries[position] = entry
        slots[entry.slot].position = position
      }
    }
  }
}

extension MomentHeap: Sendable where Content: Sendable {}
extension MomentHeap.Slot: Sendable where Content: Sendable {}
