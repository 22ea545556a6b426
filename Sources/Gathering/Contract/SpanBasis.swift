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
  private let inputs: [Outcome]
  private let places: [Int]

  /// The part of a reading that rules with these inputs need.
  public init(_ reading: Reading, inputs places: [Int]) {
    instant = reading.instant
    counters = reading.counters
    lineage = reading.lineage
    self.places = places
    inputs = places.isEmpty ? [] : places.map { reading[$0] }
  }

  /// The whole number of an input, if it is good.
  func whole(_ index: Int) -> Int64? {
    guard let place = places.firstIndex(of: index) else { return nil }
    return inputs.withUnsafeBufferPointer { inputs in
      guard inputs[place].status == .ok, case .int(let number) = inputs[place].value else {
        return nil
      }
      return number
    }
  }

  /// The outcome of an input.
  public subscript(_ index: Int) -> Outcome {
    places.firstIndex(of: index).map { inputs[$0] } ?? .notRead
  }
}
