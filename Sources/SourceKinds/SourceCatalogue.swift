public import Gathering
public import Values

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
    Graphics(),
    Power(),
    Fan(),
    Voltage(),
    Current(),
    Session(),
    Capture(),
    SystemUnit(),
    SystemClock(),
    Disk(),
    UPS(),
  ]
}

extension SourceCatalogue {
  /// The kind of a name; `notFound` with the nearest names.
  public static func kind(named name: String) throws(SourceError) -> any SourceKind {
    guard let kind = all.first(where: { $0.kind == name }) else {
      throw .notFound(Nearest.sentence(to: name, among: all.map(\.kind), what: "kind"))
    }
    return kind
  }

  /// The kinds in words, or the one of a name: each as `SourceKind.dictionary` has it. `notFound`
  /// for an unknown name.
  public static func description(of name: String? = nil) throws(SourceError) -> [Value] {
    let kinds = if let name { [try kind(named: name)] } else { all }
    return kinds.map { .dictionary($0.dictionary) }
  }
}
