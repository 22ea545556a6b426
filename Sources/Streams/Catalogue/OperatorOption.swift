/// An option of an operator.
///
/// C and Python call a duration by its name with `_ns` behind it and give it in nanoseconds;
/// patches and the methods of Python give it in seconds, under its name alone.
package struct OperatorOption: Sendable {
  /// What it takes.
  package enum Kind: Equatable, Sendable {
    /// A time of more than 0.
    case duration
    /// A whole number, from 1 to `mostValues`.
    case count
    /// A finite number within bounds.
    case number(ClosedRange<Double>)
    /// A boolean and its default.
    case flag(standard: Bool)
    /// A value of any type.
    case value
  }

  /// How many values an operator keeps at most.
  package static let mostValues: Int64 = 1 << 24

  /// In snake_case.
  package let name: String
  /// What it takes.
  package let kind: Kind

  init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Its name in C.
  package var nameInC: String { kind == .duration ? "\(name)_ns" : name }
}
