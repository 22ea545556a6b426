/// The members of a dictionary that say how something is to be, each asked for once and checked.
package struct Options {
  private var remaining: ValueDictionary
  private let owner: String

  /// The options of `owner`, which messages mention.
  package init(_ members: ValueDictionary, of owner: String) {
    remaining = members
    self.owner = owner
  }

  /// A value of any type; nil if it is not there, or NONE.
  package mutating func value(_ name: String) -> Value? {
    defer { remaining[name] = nil }
    guard let value = remaining[name], value != .none else { return nil }
    return value
  }

  /// A text.
  package mutating func text(_ name: String) throws(OptionError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.text else { throw wrong(name, "a STRING") }
    return text
  }

  /// A whole number that is not negative.
  package mutating func count(_ name: String) throws(OptionError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard case .int(let number) = value, number >= 0 else { throw wrong(name, "an INT, 0 or more") }
    return number
  }

  /// A time in nanoseconds that is not negative.
  package mutating func duration(_ name: String) throws(OptionError) -> Duration? {
    try count(name).map { .nanoseconds($0) }
  }

  /// A finite number.
  package mutating func number(_ name: String) throws(OptionError) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number, number.isFinite else { throw wrong(name, "a number") }
    return number
  }

  /// A number from 0 to 1.
  package mutating func share(_ name: String) throws(OptionError) -> Double? {
    guard let number = try number(name) else { return nil }
    guard (0...1).contains(number) else { throw wrong(name, "from 0 to 1") }
    return number
  }

  /// True or false.
  package mutating func flag(_ name: String) throws(OptionError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else { throw wrong(name, "a BOOL") }
    return flag
  }

  /// What must be there; `name` says what is needed.
  package func required<Given>(_ given: Given?, _ name: String) throws(OptionError) -> Given {
    guard let given else { throw OptionError("\(owner) needs \(name)") }
    return given
  }

  /// Throws if there is an option that was not asked for.
  package func finish() throws(OptionError) {
    guard let name = remaining.keys.first else { return }
    throw OptionError("\(owner) has no option \(Array(name.utf8).quotedExcerpt)")
  }

  /// That an option is not what is wanted.
  package func wrong(_ name: String, _ wanted: String) -> OptionError {
    OptionError("\(name) of \(owner) must be \(wanted)")
  }
}
