import Gathering
import Values

extension Reading {
  /// The outcome of a property named by the kind's own list of fields, in table order.
  subscript(_ field: some RawRepresentable<Int>) -> Outcome {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }

  /// Sets the property of a field to a number that was just read and is good.
  mutating func set(_ field: some RawRepresentable<Int>, to number: Int64) {
    set(field.rawValue, to: number)
  }

  /// Sets the property of a field to a number that was just read and is good.
  mutating func set(_ field: some RawRepresentable<Int>, to number: Double) {
    set(field.rawValue, to: number)
  }

  /// Sets the property of a field to a flag that was just read and is good.
  mutating func set(_ field: some RawRepresentable<Int>, to flag: Bool) {
    set(field.rawValue, to: flag)
  }

  /// Sets the property of a field to an outcome that seldom changes.
  mutating func set(_ field: some RawRepresentable<Int>, to outcome: Outcome) {
    set(field.rawValue, to: outcome)
  }

  /// Says that a field needs two readings, until it has another outcome.
  mutating func needTwoReadings(_ field: some RawRepresentable<Int>) {
    if isAbsent(field, as: .notRead) { self[field.rawValue] = .needsTwoReadings }
  }

  /// The whole number of a field, if there is one.
  func integer(_ field: some RawRepresentable<Int>) -> Int64? {
    if case .int(let number) = good(field.rawValue) { number } else { nil }
  }

  /// The number of a field as a double, if there is one.
  func number(_ field: some RawRepresentable<Int>) -> Double? { good(field.rawValue).number }

  /// The flag of a field, if there is one.
  func flag(_ field: some RawRepresentable<Int>) -> Bool? {
    if case .bool(let flag) = good(field.rawValue) { flag } else { nil }
  }

  /// The payload of a property, `.none` unless it is good; the rest of its outcome is not copied.
  private func good(_ index: Int) -> Value {
    outcomes.withUnsafeBufferPointer { $0[index].status == .ok ? $0[index].value : .none }
  }

  /// Whether a property has just this absence, and so was set before.
  func isAbsent(_ field: some RawRepresentable<Int>, as outcome: Outcome) -> Bool {
    outcomes.withUnsafeBufferPointer { $0[field.rawValue].absence === outcome.absence }
  }
}
