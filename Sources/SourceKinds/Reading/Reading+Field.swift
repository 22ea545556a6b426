import Gathering
import Values

extension Reading {
  /// The outcome of a property named by the kind's own list of fields, in table order.
  subscript(_ field: some RawRepresentable<Int>) -> Outcome {
    @inline(__always)
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

  /// Sets the property of a field to an outcome that its reader keeps.
  mutating func set(_ field: some RawRepresentable<Int>, to outcome: KeptOutcome) {
    set(field.rawValue, to: outcome)
  }

  /// Says that a field needs two readings: what a session gets, its spans compute.
  mutating func needTwoReadings(_ field: some RawRepresentable<Int>) {
    set(field.rawValue, to: KeptOutcome.needsTwoReadings)
  }

  /// The whole number of a field, if there is one.
  @inline(__always)
  func integer(_ field: some RawRepresentable<Int>) -> Int64? {
    whole(at: field.rawValue)
  }

  /// The number of a field as a double, if there is one.
  @inline(__always)
  func number(_ field: some RawRepresentable<Int>) -> Double? { number(at: field.rawValue) }

  /// The vector of a field, if there is one.
  @inline(__always)
  func vector(_ field: some RawRepresentable<Int>) -> Vector? { vector(at: field.rawValue) }

  /// The flag of a field, if there is one.
  @inline(__always)
  func flag(_ field: some RawRepresentable<Int>) -> Bool? {
    flag(at: field.rawValue)
  }
}

extension KeptOutcome {
  /// A quantity over time after the first of two readings (sources I8).
  static let needsTwoReadings = KeptOutcome(.needsTwoReadings)
}
