import Gathering
import Machine
import Values

/// Where in a device a sensor sits, in the order sensors are listed.
enum SensorLocation: String, CaseIterable, Sendable {
  case display, unknown, base, camera

  static let words = ["display", "base", "camera", "unknown"]

  /// The location in the firmware's label, or else in udev (catalogue 3.2).
  init(of device: IIODevice, on machine: Machine) {
    if let label = device.label, label.hasPrefix("accel-"),
      let location = SensorLocation(rawValue: String(label.dropFirst("accel-".count)))
    {
      self = location
      return
    }
    let word = device.udev(.sensorLocation, on: machine).outcome.text?.lowercased()
    self = word.flatMap(SensorLocation.init) ?? .unknown
  }

  /// The value of the property.
  var outcome: KeptOutcome { KeptOutcome(.ok(.string(rawValue))) }

  /// The place in a listing: display, unknown, base, camera.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
