public import Ground
import Values

/// What spans compare of a reading: its counters, and the outcomes of their inputs.
public final class SpanBasis: Sendable {
  /// When the reading was taken.
  public let instant: Instant
  /// The numbers that are no property of their own.
  public let counters: [Int64]
  /// Changes when counters start from another base.
  let lineage: UInt64
  private let places: [Int]
  private let numbers: [PlainNumber]
  /// The inputs that are no plain number; empty while all are.
  private let others: [Outcome]

  /// The part of a reading that rules with these inputs need.
  public init(_ reading: borrowing Reading, inputs places: [Int]) {
    instant = reading.instant
    counters = reading.counters
    lineage = reading.lineage
    self.places = places
    (numbers, others) = places.isEmpty ? ([], []) : reading.contents(at: places)
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
