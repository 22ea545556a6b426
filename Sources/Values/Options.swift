import Gathering
import Values

/// The options of a dictionary of the host, each asked for once and checked.
struct Options {
  private var remaining: ValueDictionary
  private let owner: String

  /// The options of `owner`, which messages mention.
  init(_ handle: OpaquePointer?, of owner: String) throws {
    self.init(try members(handle, "options"), of: owner)
  }

  init(_ members: ValueDictionary, of owner: String) {
    remaining = members
    self.owner = owner
  }

  /// A value of any type; nil if it is not there, or NONE.
  mutating func value(_ name: String) -> Value? {
    defer { remaining[name] = nil }
    guard let value = remaining[name], value != .none else { return nil }
    return value
  }

  mutating func text(_ name: String) throws -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.text else { throw wrong(name, "a STRING") }
    return text
  }

  /// A whole number that is not negative.
  mutating func count(_ name: String) throws -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .int(let number) = value, number >= 0 else { throw wrong(name, "an INT, 0 or more") }
    return number
  }

  mutating func duration(_ name: String) throws -> Duration? {
    try count(name).map { .nanoseconds($0) }
  }

  mutating func number(_ name: String) throws -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number, number.isFinite else { throw wrong(name, "a number") }
    return number
  }

  mutating func share(_ name: String) throws -> Double? {
    guard let number = try number(name) else { return nil }
    guard (0...1).contains(number) else { throw wrong(name, "from 0 to 1") }
    return number
  }

  mutating func flag(_ name: String) throws -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw wrong(name, "a BOOL") }
    return flag
  }

  /// What must be there.
  func required<Answer>(_ answer: Answer?, _ name: String) throws -> Answer {
    guard let answer else { throw Failure(Status.invalidArgument, "\(owner) needs \(name)") }
    return answer
  }

  /// Fails if the host gave an option that was not asked for.
  func finish() throws {
    guard let name = remaining.keys.first else { return }
    throw Failure(
      Status.invalidArgument, "\(owner) has no option \(Array(name.utf8).quotedExcerpt)")
  }

  func wrong(_ name: String, _ wanted: String) -> Failure {
    Failure(Status.invalidArgument, "\(name) of \(owner) must be \(wanted)")
  }
}
