import Ground

/// The moments at which instances are due, each with one timer for all that are.
struct TickSlots {
  private struct Slot {
    /// The producer that was added first; nil once it was taken out.
    var first: Int?
    /// Those added behind it.
    var others: [Int] = []
    let timer: any Cancellable
  }

  private var slots: [Int64: Slot] = [:]

  /// Makes a producer due at a moment, where `arm` makes the timer of one that is new.
  mutating func add(_ producer: Int, at moment: Int64, arm: () -> any Cancellable) {
    guard let index = slots.index(forKey: moment) else {
      return slots[moment] = Slot(first: producer, timer: arm())
    }
    slots.values[index].others.append(producer)
  }

  /// Takes a producer out of a moment; the timer to be cancelled if nothing is due there any more.
  mutating func remove(_ producer: Int, from moment: Int64) -> (any Cancellable)? {
    guard moment < .max, let index = slots.index(forKey: moment) else { return nil }
    if slots.values[index].first == producer { slots.values[index].first = nil }
    slots.values[index].others.removeAll { $0 == producer }
    guard slots.values[index].first == nil, slots.values[index].others.isEmpty else { return nil }
    return slots.remove(at: index).value.timer
  }

  /// Takes those that are due at a moment, in the order they were added.
  mutating func take(at moment: Int64) -> (first: Int?, others: [Int]) {
    guard let slot = slots.removeValue(forKey: moment) else { return (nil, []) }
    return (slot.first, slot.others)
  }

  /// Takes all timers.
  mutating func takeTimers() -> [any Cancellable] {
    defer { slots = [:] }
    return slots.values.map(\.timer)
  }
}
