import Gathering
import Ground
import Streams

/// A high-pass filter: the value minus its low pass.
struct HighPass: LibraryKind {
  static let type = "high_pass"
  static let summary = "The value minus its low_pass."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = OperatorDescription.of(.lowPass).ports("time_constant", "alpha")

  private var filter = LowPassFilter<Quantity>(.alpha(1))

  init() {}

  mutating func check(_ options: PatchOptions) throws(PatchError) {
    try OperatorDescription.of(.lowPass).check(options)
  }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    try filter.change(option, to: value)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity.of(sample, on: input)
    let slow = filter.next(value, at: Moment(nanoseconds: sample.time))
    publish("value", (value.joined(slow) { $0 - $1 } ?? value.zero).payload)
  }
}
