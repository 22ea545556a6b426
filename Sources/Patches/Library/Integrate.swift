import Gathering
import Values

/// The sum over sample time, by trapezoids.
struct Integrate: LibraryKind {
  static let type = "integrate"
  static let summary = "The integral over time in seconds, from 0 or from what it was reset to."
  static let inputs = [PortDescription("value"), PortDescription("reset", isControl: true)]
  static let outputs = [PortDescription("value")]

  private var sum: Quantity?
  private var start: Double = 0
  private var last: (value: Quantity, time: Int64)?

  init() {}

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    if input == "reset" { return reset(to: sample.value.number ?? 0) }
    let value = try Quantity.of(sample, on: input)
    if let (former, before) = last, former.count == value.count, sample.time > before {
      let half = Double(sample.time &- before) / 2e9
      let area = value.joined(former) { ($0 + $1) * half } ?? value.zero
      sum = sum?.joined(area, +) ?? area.map { $0 + start }
    }
    let from = start
    let present = sum?.count == value.count ? sum : nil
    sum = present ?? value.zero.map { $0 + from }
    if sample.time >= last?.time ?? .min { last = (value, sample.time) }
    if let sum { publish("value", sum.payload) }
  }

  /// The last value stays, and the integral continues from it.
  private mutating func reset(to number: Double) {
    start = number
    sum = sum?.map { _ in number }
  }
}
