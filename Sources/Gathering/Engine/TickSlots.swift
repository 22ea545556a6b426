import Ground

/// The moments at which instances are due, each with one timer for all that are.
struct TickSlots {
  private struct Slot {
    var producers: [Int]
    let timer: any Cancellable
  }

  private var slots: [Int64: Slot] = [:]

  /// Makes a producer due at a moment, where `arm` makes the timer of one that is new.
  mutating func add(_ producer: Int, at moment: Int64, arm: () -> any Cancellable) {
    if slots[moment] == nil { slots[moment] = Slot(producers: [], timer: arm()) }
    slots[moment]?.producers.append(producer)
  }

  /// Takes a producer out of a moment; the timer to be cancelled if nothing is due there any more.
  mutating func remove(_ producer: Int, from moment: Int64) -> (any Cancellable)? {
    guard var slot = slots.removeValue(forKey: moment) else { return nil }
    slot.producers.removeAll { $0 == producer }
    if slot.producers.isEmpty { return slot.timer }
    slots[moment] = slot
    return nil
  }

  /// Takes those that are due at a moment, in the order they were added.
  mutating func take(at moment: Int64) -> [Int] {
    slots.removeValue(forKey: moment)?.producers ?? []
  }

  /// Takes all timers.
  mutating func takeTimers() -> [any Cancellable] {
    defer { slots = [:] }
    return slots.values.map(\.timer)
  }
}
