import Gathering

/// The properties of a kind of sensor: its own, then those of `SensorTail`.
///
/// Kinds with vectors end with a case `frame` besides.
protocol SensorField: PropertyField {
  static var samplingFrequency: Self { get }
  static var acquisition: Self { get }
  static var driver: Self { get }
  static var label: Self { get }
  static var location: Self { get }
}

extension SensorField {
  /// The index of the first property of the tail.
  static var tail: Int { samplingFrequency.rawValue }
  /// The property of a case of the tail.
  var tailProperty: Property { SensorTail.table[rawValue - Self.tail] }
  /// What a case of the tail means.
  var tailMeaning: Meaning {
    SensorTail.Field(rawValue: rawValue - Self.tail)?.meaning ?? Meaning("", from: "")
  }
}
