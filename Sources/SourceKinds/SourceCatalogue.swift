public import Gathering

/// Every kind of source this library knows, in the order of the catalogue: one line a kind.
public enum SourceCatalogue {
  /// All kinds.
  public static let all: [any SourceKind] = [
    GPS(),
    WiFi(),
    Altimeter(),
    Microphone(),
    CellRadio(),
    Screen(),
    Compass(),
    Magnetometer(),
    Gyroscope(),
    Accelerometer(),
    DeviceAttitude(),
    Proximity(),
    Battery(),
    Bluetooth(),
    BluetoothDevice(),
    Storage(),
    Memory(),
    DeviceMetadata(),
    AmbientLight(),
    Temperature(),
    Humidity(),
    Processor(),
    Thermal(),
    Network(),
    Switches(),
    Steps(),
    IIO(),
    Fan(),
  ]
}
