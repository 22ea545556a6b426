import Gathering
import Ground
import Streams
import Values

/// Figures of a sliding window.
struct Statistics: LibraryKind {
  static let type = "statistics"
  static let summary = "Smallest, largest, mean, deviation and root mean square of the last values."
  static let inputs = [PortDescription("value", .double)]
  static let outputs = ["min", "max", "mean", "std", "rms"].map { PortDescription($0, .double) }
  static let options = OperatorDescription.of(.window).ports("count", "duration")

  private var window = SlidingWindow<Double>(.count(1), capacity: Span.mostValues)

  init() {}

  mutating func check(_ options: PatchOptions) throws(PatchError) {
    try OperatorDescription.of(.window).check(options)
  }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    window.span = try Span(value, of: option)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let number = try Quantity.of(sample, on: input).numbers[0]
    window.append(number, at: Moment(nanoseconds: sample.time))
    let count = Double(window.content.count)
    var (least, most, sum, squares) = (Double.infinity, -Double.infinity, 0.0, 0.0)
    for number in window.content {
      // `min` and `max` would lose a NaN, depending on its side.
      least = number.isNaN || least.isNaN ? .nan : min(least, number)
      most = number.isNaN || most.isNaN ? .nan : max(most, number)
      sum += number
      squares += number * number
    }
    let mean = sum / count
    let variance = window.content.reduce(0) { sum, next in
      sum + (next - mean) * (next - mean)
    }
    publish("min", .double(least))
    publish("max", .double(most))
    publish("mean", .double(mean))
    publish("std", .double((variance / count).squareRoot()))
    publish("rms", .double((squares / count).squareRoot()))
  }
}
