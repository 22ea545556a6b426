public import Ground
import Values

/// What spans compare of a reading: its counters, and the outcomes of their inputs.
///
/// Its instance writes it anew, under the lock of the context, once nothing else refers to it.
public final class SpanBasis {
  /// When the reading was taken.
  public private(set) var instant: Instant
  /// The numbers that are no property of their own.
  public private(set) var counters: [Int64]
  /// Changes when counters start from another base.
  private(set) var lineage: UInt64
  private let places: [Int]
  private var numbers: [PlainNumber]
  /// The inputs that are no plain number; empty while all are.
  private var others: [Outcome] = []

  /// The part of a reading that rules with these inputs need.
  public init(_ reading: borrowing Reading, inputs places: [Int]) {
    instant = reading.instant
    counters = []
    lineage = reading.lineage
    self.places = places
    numbers = [PlainNumber](repeating: .none, count: places.count)
    take(reading)
  }

  /// Takes over another reading, in the same memory.
  func take(_ reading: borrowing Reading) {
    instant = reading.instant
    lineage = reading.lineage
    reading.copyCounters(to: &counters)
    reading.copyContents(at: places, to: &numbers, and: &others)
  }

  /// The whole number of an input, if it is good.
  func whole(_ index: Int) -> Int64? {
    guard let place = places.firstIndex(of: index) else { return nil }
    if let number = numbers[place].whole { return number }
    guard !others.isEmpty, others[place].status == .ok, case .int(let number) = others[place].value
    else { return nil }
    return number
  }

  /// The outcome of an input.
  public subscript(_ index: Int) -> Outcome {
    guard let place = places.firstIndex(of: index) else { return .notRead }
    return numbers[place].outcome ?? others[place]
  }
}
