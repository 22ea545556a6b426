import Gathering
import Machine
import Values

/// The properties every IIO kind's table ends with (catalogue 3.2).
enum SensorTail {
  /// Where each stands after the first of them.
  enum Field: Int, CaseIterable {
    case samplingFrequency, acquisition, driver, label, location, frame
  }

  /// The tail of a kind.
  static let properties: [Property] = [
    Property("sampling_frequency", .double, unit: "Hz", .onChange),
    Property("acquisition", .enumeration(["poll", "stream", "service"]), .onChange),
    Property("driver", .string, .static),
    Property("label", .string, .static),
    Property("location", .enumeration(SensorLocation.words), .static),
  ]

  /// The tail of a kind with vectors, which are in a frame.
  static let propertiesWithFrame =
    properties + [Property("frame", .enumeration(["device", "sensor"]), .onChange)]

  /// Fills in what stays as it is while the device exists.
  static func fill(
    _ reading: inout Reading, from first: Int, of device: IIODevice, location: SensorLocation,
    in files: any FileTree
  ) {
    let texts: [(Field, String)] = [(.driver, "name"), (.label, "label")]
    for (field, name) in texts where reading[first + field.rawValue].status != .ok {
      reading[first + field.rawValue] = Outcome(
        reading: KeptFile("\(device.path)/\(name)", in: files), .text)
    }
    reading[first + Field.location.rawValue] = .ok(.string(location.rawValue))
  }
}
