import Streams
import Values

/// The arguments of an operator or the options of a stream by name; each is read once and checked.
struct StreamArguments {
  private var remaining: ValueDictionary
  private let owner: String

  /// The arguments of `owner`, whose name messages mention; camelCase names count as snake_case.
  init(_ arguments: ValueDictionary, of owner: String) {
    remaining = ValueDictionary(arguments.map { ($0.key.snakeCase, $0.value) })
    self.owner = owner
  }

  /// A value of any type; nil if it is not there.
  mutating func value(_ name: String) -> Value? {
    defer { remaining[name] = nil }
    return remaining[name]
  }

  /// A whole number from `least` on.
  mutating func integer(
    _ name: String, from least: Int64 = .min
  ) throws(SourceError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .int(let number) = value else { throw wrong(name, "an INT") }
    if number < least { throw wrong(name, "at least \(least)") }
    return number
  }

  /// How many values are kept: from 1 to the most there may be, beyond which it is LIMIT.
  mutating func count(_ name: String) throws(SourceError) -> Int64? {
    guard let count = try integer(name, from: 1) else { return nil }
    if count <= OperatorOption.mostValues { return count }
    throw .limit("\(name) of \(owner) is more than \(OperatorOption.mostValues)")
  }

  /// A duration, greater than 0.
  mutating func duration(_ name: String) throws(SourceError) -> Duration? {
    try integer(name, from: 1).map { .nanoseconds($0) }
  }

  /// A finite number in a range.
  mutating func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(SourceError) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number, number.isFinite else { throw wrong(name, "a number") }
    guard range.contains(number) else {
      throw wrong(name, "from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A truth value.
  mutating func flag(_ name: String) throws(SourceError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw wrong(name, "a BOOL") }
    return flag
  }

  /// A list of values.
  mutating func list(_ name: String) throws(SourceError) -> [Value]? {
    guard let value = value(name) else { return nil }
    guard case .list(let items) = value else { throw .type("\(name) of \(owner) must be a LIST") }
    return items
  }

  /// A required argument.
  func required<Answer>(_ answer: Answer?, _ name: String) throws(SourceError) -> Answer {
    guard let answer else { throw missing(name) }
    return answer
  }

  /// The error for a missing required argument.
  func missing(_ name: String) -> SourceError { .invalidArgument("\(owner) needs \(name)") }

  /// Throws if an argument was never read.
  func finish() throws(SourceError) {
    guard let name = remaining.keys.first else { return }
    throw .invalidArgument("\(owner) has no \(Array(name.utf8).quotedExcerpt)")
  }

  private func wrong(_ name: String, _ wanted: String) -> SourceError {
    .invalidArgument("\(name) of \(owner) must be \(wanted)")
  }
}

extension String {
  /// A lowerCamelCase name in snake_case; any other stays as it is.
  var snakeCase: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "_")) }
        bytes.append(byte | 0x20)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
