/// What is known of a number beside its value, as far as its text for people depends on it.
public struct Measure: Hashable, Sendable {
  /// What the number means beyond its unit.
  public enum Meaning: Hashable, Sendable {
    /// A number of its unit.
    case plain
    /// A part of a whole, 1 being all of it: a percentage for people.
    case share
    /// A latitude or longitude in degrees: a few decimals of it are a long way.
    case coordinate
    /// What has been counted up so far, such as the energy that a meter has seen.
    case count
  }

  /// UCUM code; nil where there is none.
  public var unit: String?

  /// The step of the hardware in the unit; nil, or not above 0, where it is unknown.
  public var resolution: Double?

  /// What the number means.
  public var meaning: Meaning

  /// A number of a unit.
  public init(unit: String? = nil, resolution: Double? = nil, meaning: Meaning = .plain) {
    self.unit = unit
    self.resolution = resolution
    self.meaning = meaning
  }
}
