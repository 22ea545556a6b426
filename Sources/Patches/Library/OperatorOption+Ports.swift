import Gathering
import Streams
import Values

/// The options of stream operators as options of patches, by the table of operators; durations are
/// in seconds.
extension OperatorDescription {
  /// The options of some names as inputs of a patch.
  func ports(_ names: String...) -> [PortDescription] {
    options.filter { names.contains($0.name) }.map(\.port)
  }

  /// Throws `badOption` where both of two options are given of which one is to be.
  func check(_ given: PatchOptions) throws(PatchError) {
    guard case .exactlyOne = need, let first = options.first, let second = options.last else {
      return
    }
    try onlyOne(first.name, second.name, in: given)
  }
}

extension OperatorOption {
  fileprivate var port: PortDescription {
    switch kind {
    case .duration: PortDescription(name, .double, unit: "s")
    case .count: PortDescription(name, .int)
    case .number: PortDescription(name, .double)
    case .flag(let standard): PortDescription(name, .bool, standard: .bool(standard))
    case .value: PortDescription(name)
    }
  }
}

extension LowPassFilter {
  /// Takes a value of one of its options.
  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let number = try value.number(of: option)
    let description = OperatorDescription.of(.lowPass).options.first { $0.name == option }
    if case .number(let range) = description?.kind {
      guard range.contains(number) else {
        let (least, most) = (Payload.double(range.lowerBound), Payload.double(range.upperBound))
        throw .badOption(
          option, reason: "it must be from \(least.formatted()) to \(most.formatted())")
      }
      strength = .alpha(number)
    } else {
      guard number > 0, number.isFinite else {
        throw .badOption(option, reason: "it must be more than 0 seconds")
      }
      strength = .timeConstant(number)
    }
  }
}

extension Span {
  /// No patch keeps more values.
  static let mostValues = 1_000_000

  /// Parses an option of a window or an average.
  init(_ value: Payload, of option: String) throws(PatchError) {
    if option == "duration" {
      self = .duration(.nanoseconds(try value.duration(of: option)))
    } else {
      guard case .int(let count) = value else {
        throw .badOption(option, reason: "it takes a whole number")
      }
      self = .count(try PatchOptions.count(count, option, in: 1...Int64(Self.mostValues)))
    }
  }
}
