import Gathering
import Values

/// The last so many values, or those not older than a time, by sample time.
struct SlidingWindow: Sendable {
  /// Where it ends.
  enum Limit: Sendable {
    case count(Int)
    /// In nanoseconds.
    case duration(Int64)
  }

  /// More are never kept.
  static let capacity = 1_000_000

  var limit = Limit.count(1)
  private(set) var values: [Quantity] = []
  private var times: [Int64] = []
  private var head = 0

  /// What is in the window, oldest first.
  var content: ArraySlice<Quantity> { values[head...] }

  /// Takes in a value and drops what is out of the window; other kinds of values start it anew.
  mutating func append(_ value: Quantity, at time: Int64) {
    if let last = values.last, last.count != value.count { removeAll() }
    values.append(value)
    times.append(time)
    switch limit {
    case .count(let count): head = max(head, values.count - count)
    case .duration(let duration):
      while head < values.count - 1, time &- times[head] > duration { head += 1 }
      head = max(head, values.count - Self.capacity)
    }
    if head >= 32, head * 2 >= values.count {
      values.removeFirst(head)
      times.removeFirst(head)
      head = 0
    }
  }

  private mutating func removeAll() {
    values = []
    times = []
    head = 0
  }

  /// Sets the limit by one of two options.
  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    if option == "duration" {
      limit = .duration(try value.duration(of: option))
    } else {
      guard case .int(let count) = value else {
        throw .badOption(option, reason: "it takes a whole number")
      }
      limit = .count(try PatchOptions.count(count, option, in: 1...Int64(Self.capacity)))
    }
  }
}
