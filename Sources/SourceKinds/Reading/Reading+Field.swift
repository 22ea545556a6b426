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
    if outcomes[field.rawValue].absence === Outcome.notRead.absence {
      self[field.rawValue] = .needsTwoReadings
    }
  }

  /// The whole number of a field, if there is one.
  func integer(_ field: some RawRepresentable<Int>) -> Int64? {
    guard outcomes[field.rawValue].status == .ok,
      case .int(let number) = outcomes[field.rawValue].value
    else { return nil }
    return number
  }

  /// The number of a field as a double, if there is one.
  func number(_ field: some RawRepresentable<Int>) -> Double? {
    guard outcomes[field.rawValue].status == .ok else { return nil }
    switch outcomes[field.rawValue].value {
    case .double(let number): return number
    case .int(let number): return Double(number)
    default: return nil
    }
  }

  /// The flag of a field, if there is one.
  func flag(_ field: some RawRepresentable<Int>) -> Bool? {
    guard outcomes[field.rawValue].status == .ok,
      case .bool(let flag) = outcomes[field.rawValue].value
    else { return nil }
    return flag
  }
}
