public import Gathering
public import Values

/// A type of patches as a value that names its ports and receives.
public protocol PatchKind: Sendable {
  /// The name in documents, in snake_case.
  static var type: String { get }
  /// One sentence for the catalogue.
  static var summary: String { get }
  /// The inputs, options apart.
  static var inputs: [PortDescription] { get }
  /// The outputs, in the order in which they are published.
  static var outputs: [PortDescription] { get }
  /// The options; each that is not fixed is an input of its name, too.
  static var options: [PortDescription] { get }
  /// Whether null passes from an input to all outputs without being received; control inputs and
  /// options then ignore it.
  static var passesNull: Bool { get }

  /// Makes one, or throws `badOption`.
  init(_ options: PatchOptions) throws(PatchError)

  /// The inputs of this one, where they depend on its options.
  var inputPorts: [PortDescription] { get }
  /// The outputs of this one, where they depend on its options.
  var outputPorts: [PortDescription] { get }

  /// Receives a sample and publishes the results, by sample time.
  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (_ output: String, _ payload: Payload) -> Void
  ) throws
  /// Takes a new value of an option that is not fixed; it holds from the next sample on.
  mutating func change(_ option: String, to value: Payload) throws(PatchError)
}

extension PatchKind {
  /// No summary by default.
  public static var summary: String { "" }
  /// None.
  public static var options: [PortDescription] { [] }
  /// Null is received like any value.
  public static var passesNull: Bool { false }
  /// Those of the type.
  public var inputPorts: [PortDescription] { Self.inputs }
  /// Those of the type.
  public var outputPorts: [PortDescription] { Self.outputs }
  /// No option can be changed.
  public mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    throw .badOption(option, reason: "it cannot be changed")
  }
}

/// A kind that publishes at creation.
protocol StartingKind: PatchKind {
  mutating func begin(_ publish: (_ output: String, _ payload: Payload) -> Void)
}

/// A kind that also does something at times of its own.
protocol TimedPatchKind: PatchKind {
  /// When to be woken next, in nanoseconds of boot time; nil for never.
  var due: Int64? { get }
  /// Whether it needs no waking while it has no listener.
  static var sleepsUnobserved: Bool { get }
  /// It starts to be listened to.
  mutating func wakeUp(at now: Int64)
  /// Handles an alarm of this kind: published samples may have times of their own.
  mutating func fire(
    at now: Int64, _ publish: (_ output: String, _ sample: Sample) -> Void)
}

extension TimedPatchKind {
  static var sleepsUnobserved: Bool { false }
  mutating func wakeUp(at now: Int64) {}
}

/// The options a patch is made with: known names, values that fit their hints.
public struct PatchOptions: Sendable {
  /// The values given, by snake_case names, in the order given.
  public let given: ValueDictionary
  private let descriptions: [PortDescription]

  /// Checks options against their descriptions; throws `badOption` for the first that is wrong.
  public init(
    _ values: ValueDictionary, as descriptions: [PortDescription]
  ) throws(PatchError) {
    var given = ValueDictionary()
    for (key, value) in values {
      let found =
        descriptions.first { $0.name.isSpelt(key) }
        ?? key.snakeCase.flatMap { snake in descriptions.first { $0.name.isSpelt(snake) } }
      guard let found else {
        throw .badOption(key, reason: Self.unknown(key, among: descriptions))
      }
      guard found.hint.takes(value), value != .none || found.hint == .any else {
        throw .badOption(
          found.name, reason: "it takes \(found.hint.rawValue), not \(value.typeWord)")
      }
      if given[found.name] != nil { throw .badOption(key, reason: "it is given twice") }
      given[found.name] = value
    }
    self.given = given
    self.descriptions = descriptions
  }

  /// The value given, else the standard one; nil without either.
  public subscript(name: String) -> Value? {
    given[name] ?? descriptions.first { $0.name == name }?.standard
  }

  /// The text of an option that must be given.
  public func text(_ name: String) throws(PatchError) -> String {
    guard let text = self[name]?.text else { throw .badOption(name, reason: "it must be given") }
    return text
  }

  /// The whole number of an option, within bounds.
  public func count(_ name: String, in range: ClosedRange<Int64>) throws(PatchError) -> Int {
    guard case .int(let count) = self[name] else {
      throw .badOption(name, reason: "it must be given")
    }
    return try Self.count(count, name, in: range)
  }

  static func count(
    _ count: Int64, _ name: String, in range: ClosedRange<Int64>
  ) throws(PatchError) -> Int {
    guard range.contains(count) else {
      throw .badOption(
        name, reason: "it must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(count)
  }

  private static func unknown(_ name: String, among all: [PortDescription]) -> String {
    if all.isEmpty { return "there are no options here" }
    return Nearest.sentence(to: name, among: all.map(\.name), what: "option")
  }
}

extension Value {
  /// The number of an option.
  func number(of option: String) throws(PatchError) -> Double {
    guard let number else {
      throw .badOption(option, reason: "it takes a number, not \(typeWord)")
    }
    return number
  }

  /// A duration in seconds above 0, in nanoseconds.
  func duration(of option: String) throws(PatchError) -> Int64 {
    let seconds = try number(of: option)
    guard seconds > 0, seconds < 9e9 else {
      throw .badOption(option, reason: "it must be more than 0 seconds")
    }
    return max(1, Int64((seconds * 1e9).rounded()))
  }
}
