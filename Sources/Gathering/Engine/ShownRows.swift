import CGatheredKit
import Glibc
import Ground
import Synchronization
import Values

/// The values of a session as getters copy them, without the lock of its context and without a
/// reference to the block.
///
/// A session shows a new block before it gives up the former one, and waits until no getter copies
/// that. So a getter never copies rows that are freed or written anew.
final class ShownRows: @unchecked Sendable {
  // Safe: the holder of `isHeld` or of the context's lock may read `reading` and `lendsTexts`; only
  // the holder of both writes them.

  private let isHeld = Atomic<Bool>(false)
  /// The same, for a delivery. Read under the context's lock.
  private(set) var reading: FanOut.Reading
  private var lendsTexts: Bool

  init(_ block: Block) {
    (reading, lendsTexts) = (FanOut.Reading(block), block.lendsTexts)
  }

  /// Shows a block that does not change any more. Called under the context's lock.
  func show(_ block: Block) {
    hold()
    (reading, lendsTexts) = (FanOut.Reading(block), block.lendsTexts)
    isHeld.store(false, ordering: .releasing)
  }

  // Not inlined: the caller would count the object.

  /// Copies a row; false if there is no such row, or if it lends a text.
  @inline(never)
  func copy(_ index: Int, to out: UnsafeMutablePointer<Row>) -> Bool {
    hold()
    defer { isHeld.store(false, ordering: .releasing) }
    guard index < reading.count else { return false }
    if lendsTexts, reading.rows[index].value.number == nil { return false }
    out.update(from: reading.rows + index, count: 1)
    return true
  }

  /// Copies as many rows as there is room for, and tells how many there are; nil if any lends a
  /// text.
  @inline(never)
  func copyAll(to room: UnsafeMutableBufferPointer<Row>) -> Int? {
    hold()
    defer { isHeld.store(false, ordering: .releasing) }
    if lendsTexts { return nil }
    room.baseAddress?.update(from: reading.rows, count: min(reading.count, room.count))
    return reading.count
  }

  @inline(__always)
  private func hold() {
    var spins = 0
    while isHeld.exchange(true, ordering: .acquiring) {
      // The holder copies a few rows, unless it was preempted.
      spins += 1
      if spins > 50 { sched_yield() }
    }
  }
}

extension SessionState {
  /// Whether the calling thread delivers an update of it, and may be shown an older one.
  var isCallingOnThisThread: Bool {
    let thread = fanOutThread.load(ordering: .relaxed)
    return thread != 0 && thread == CurrentThread.identity
  }
}
