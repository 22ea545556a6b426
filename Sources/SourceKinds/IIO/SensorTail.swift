import Gathering
import Machine
import Values

/// The properties every IIO kind's table ends with (catalogue 3.2).
enum SensorTail {
  /// `rawValue` counts from the first of the tail. `frame` is of kinds with vectors only.
  enum Field: Int, PropertyField {
    case samplingFrequency, acquisition, driver, label, location, frame

    var property: Property {
      switch self {
      case .samplingFrequency: Property("sampling_frequency", .double, unit: "Hz", .onChange)
      case .acquisition:
        Property("acquisition", .enumeration(["poll", "stream", "service"]), .onChange)
      case .driver: Property("driver", .string, .static)
      case .label: Property("label", .string, .static)
      case .location: Property("location", .enumeration(SensorLocation.words), .static)
      case .frame: Property("frame", .enumeration(["device", "sensor"]), .onChange)
      }
    }
  }

  /// The tail of a kind with vectors.
  static let table = Field.properties

  /// The tail of a chip in `/sys/class/hwmon`, with its label in an attribute of its own: the
  /// attributes it reads, and fixed values.
  static func ofChip(
    at first: Int, label: String
  ) -> (columns: [MonitorReader.Column], constants: [Int: Outcome]) {
    let columns = [
      MonitorReader.Column(at: first + Field.driver.rawValue, "name", .text, isStatic: true),
      MonitorReader.Column(at: first + Field.label.rawValue, label, .text, isStatic: true),
    ]
    let constants: [Int: Outcome] = [
      first + Field.samplingFrequency.rawValue: .unsupported("a polled sensor has no rate"),
      first + Field.acquisition.rawValue: .ok(.string("poll")),
      first + Field.location.rawValue: .ok(.string("unknown")),
    ]
    return (columns, constants)
  }

  /// Fills in the values that are constant while the device exists; whether all are known now.
  @discardableResult
  static func fill(
    _ reading: inout Reading, from first: Int, of device: IIODevice, location: KeptOutcome,
    in files: any FileTree
  ) -> Bool {
    var isWhole = true
    let texts: [(Field, String)] = [(.driver, "name"), (.label, "label")]
    for (field, name) in texts {
      let status = reading.status(at: first + field.rawValue)
      // What the device did not have at first comes no more.
      if status == .ok || status == .unsupported && !device.attributes.contains(name) { continue }
      reading[first + field.rawValue] = Outcome(
        reading: PolledFile("\(device.path)/\(name)", in: files), .text)
      isWhole = false
    }
    reading.set(first + Field.location.rawValue, to: location)
    return isWhole
  }
}
