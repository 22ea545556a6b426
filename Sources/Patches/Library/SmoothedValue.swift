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
