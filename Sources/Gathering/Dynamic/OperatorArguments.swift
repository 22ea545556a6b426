import Streams
import Values

/// The arguments of an operator, checked against the table of operators.
struct OperatorArguments {
  private var durations: [Int: Duration] = [:]
  private var counts: [Int: Int] = [:]
  private var numbers: [Int: Double] = [:]
  private var flags: [Int: Bool] = [:]
  private var values: [Int: Value] = [:]
  private let names: [String]

  /// Reads what was given; throws `invalidArgument` for the first that is unknown, missing or bad,
  /// and `limit` for a count beyond all bounds.
  init(
    _ given: ValueDictionary, of description: OperatorDescription
  ) throws(SourceError) {
    names = description.options.map(\.name)
    let rows = Array(description.options.enumerated())
    var arguments = StreamArguments(given, of: description.name.rawValue)
    for (index, option) in rows {
      try read(option, at: index, from: &arguments)
    }
    let isGiven = rows.map { index, _ in has(index) }
    switch description.need {
    case .first(let number):
      for (index, option) in rows where index < number && !isGiven[index] {
        throw arguments.missing(option.nameInC)
      }
    case .exactlyOne:
      if isGiven.count(where: { $0 }) != 1 {
        throw arguments.missing("either \(Self.list(description))")
      }
    case .atLeastOne:
      if !isGiven.contains(true) { throw arguments.missing(Self.list(description)) }
    }
    try arguments.finish()
  }

  /// A duration; nil if none was given.
  func duration(_ name: String = "duration") -> Duration? { index(name).flatMap { durations[$0] } }
  /// How many values; nil if none was given.
  func count(_ name: String) -> Int? { index(name).flatMap { counts[$0] } }
  /// A number; nil if none was given.
  func number(_ name: String) -> Double? { index(name).flatMap { numbers[$0] } }
  /// A truth value, the standard one if none was given.
  func flag(_ name: String) -> Bool { index(name).flatMap { flags[$0] } ?? false }
  /// A value; nil if none was given.
  func value(_ name: String) -> Value? { index(name).flatMap { values[$0] } }

  private mutating func read(
    _ option: OperatorOption, at index: Int, from arguments: inout StreamArguments
  ) throws(SourceError) {
    let name = option.nameInC
    switch option.kind {
    case .duration: durations[index] = try arguments.duration(name)
    case .count: counts[index] = try arguments.count(name).map { Int(clamping: $0) }
    case .number(let range): numbers[index] = try arguments.number(name, in: range)
    case .flag(let standard): flags[index] = try arguments.flag(name) ?? standard
    case .value: values[index] = arguments.value(name)
    }
  }

  private func has(_ index: Int) -> Bool {
    durations[index] != nil || counts[index] != nil || numbers[index] != nil
      || flags[index] != nil || values[index] != nil
  }

  private func index(_ name: String) -> Int? { names.firstIndex(of: name) }

  private static func list(_ description: OperatorDescription) -> String {
    description.options.map(\.nameInC).joined(separator: " or ")
  }
}
