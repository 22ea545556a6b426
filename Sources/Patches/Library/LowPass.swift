import Gathering

/// A filter of first order by sample time (streams L39).
struct SmoothedValue: Sendable {
  /// The share of a difference that is taken over, or the time in which most of it is.
  enum Speed: Sendable {
    case alpha(Double)
    case timeConstant(Double)
  }

  var speed: Speed?
  private var last: (value: Quantity, time: Int64)?

  /// Takes in a value; the answer is the filtered one.
  mutating func update(_ value: Quantity, at time: Int64) -> Quantity {
    guard let (former, before) = last, former.count == value.count else {
      last = (value, time)
      return value
    }
    let a = alpha(seconds: Double(max(0, time &- before)) / 1e9)
    let filtered = former.joined(value) { $0 + a * ($1 - $0) } ?? value
    last = (filtered, max(time, before))
    return filtered
  }

  private func alpha(seconds: Double) -> Double {
    switch speed {
    case nil: 1
    case .alpha(let alpha): alpha
    case .timeConstant(let constant): seconds / (constant + seconds)
    }
  }

  /// Sets one of the options `time_constant` and `alpha`.
  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let number = try value.number(of: option)
    if option == "alpha" {
      guard (0...1).contains(number) else {
        throw .badOption(option, reason: "it must be from 0 to 1")
      }
      speed = .alpha(number)
    } else {
      guard number > 0, number.isFinite else {
        throw .badOption(option, reason: "it must be more than 0 seconds")
      }
      speed = .timeConstant(number)
    }
  }

  static let options = [
    PortDescription("time_constant", .double, unit: "s"), PortDescription("alpha", .double),
  ]
}

/// What changes slowly.
struct LowPass: LibraryKind {
  static let type = "low_pass"
  static let summary = "The value without its fast changes; unchanged while no speed is set."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = SmoothedValue.options

  private var filter = SmoothedValue()

  init() {}

  mutating func check(_ options: PatchOptions) throws(PatchError) {
    try onlyOne("time_constant", "alpha", in: options)
  }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    try filter.change(option, to: value)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity(sample.value, on: input)
    publish("value", filter.update(value, at: sample.time).payload)
  }
}
