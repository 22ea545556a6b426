import Gathering

/// Change per second of sample time.
struct Derivative: LibraryKind {
  static let type = "derivative"
  static let summary = "The change per second."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]

  private var last: (value: Quantity, time: Int64)?

  init() {}

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity.of(sample, on: input)
    guard let (former, before) = last, former.count == value.count else {
      last = (value, sample.time)
      return
    }
    guard sample.time > before else { return }
    last = (value, sample.time)
    let seconds = Double(sample.time &- before) / 1e9
    guard let change = value.joined(former, -) else { return }
    publish("value", change.map { $0 / seconds }.payload)
  }
}
