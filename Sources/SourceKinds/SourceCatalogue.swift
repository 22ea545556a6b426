public import Gathering

/// Every kind of source this library knows, in the order of the catalogue: one line a kind.
public enum SourceCatalogue {
  /// All kinds.
  public static let all: [any SourceKind] = [
    Screen(),
    Magnetometer(),
    Gyroscope(),
    Accelerometer(),
    Battery(),
    Storage(),
    Memory(),
    DeviceMetadata(),
    Temperature(),
    Processor(),
    Thermal(),
    Network(),
    Switches(),
    IIO(),
  ]
}
