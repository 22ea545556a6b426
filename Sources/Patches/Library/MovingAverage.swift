import Gathering

/// The mean of a sliding window (streams L38).
struct MovingAverage: LibraryKind {
  static let type = "moving_average"
  static let summary = "The mean of the last values; unchanged while no window is set."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = [
    PortDescription("window", .int), PortDescription("duration", .double, unit: "s"),
  ]

  private var window = SlidingWindow()

  init() {}

  mutating func check(_ options: PatchOptions) throws(PatchError) {
    try onlyOne("window", "duration", in: options)
  }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    try window.change(option, to: value)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity(sample.value, on: input)
    window.append(value, at: sample.time)
    // Summed anew each time: a running sum would keep the errors, and a NaN, for ever.
    let sum = window.content.reduce(value.zero) { sum, next in
      sum.joined(next, +) ?? sum
    }
    let count = Double(window.content.count)
    publish("value", sum.map { $0 / count }.payload)
  }
}
