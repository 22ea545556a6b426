import Gathering
import Ground
import Streams

/// The mean of a sliding window (streams L38).
struct MovingAverage: LibraryKind {
  static let type = "moving_average"
  static let summary = "The mean of the last values; unchanged while no window is set."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = OperatorDescription.of(.movingAverage).ports("window", "duration")

  private var filter = MovingAverageFilter<Quantity>(.count(1), capacity: Span.mostValues)

  init() {}

  mutating func check(_ options: PatchOptions) throws(PatchError) {
    try OperatorDescription.of(.movingAverage).check(options)
  }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    filter.span = try Span(value, of: option)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity.of(sample, on: input)
    publish("value", filter.next(value, at: Moment(nanoseconds: sample.time)).payload)
  }
}
