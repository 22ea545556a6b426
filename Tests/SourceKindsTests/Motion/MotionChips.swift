import GatheredKitTesting
import Gathering
import Machine

/// Machines with one chip of accelerometer, gyroscope and magnetometer, or some of them.
enum MotionChips {
  static let path = "/sys/bus/iio/devices/iio:device0"

  /// A chip at rest, its raw numbers those of the test; each type with its matrix, if it has one.
  static func machine(
    _ axes: [String: [Double]], matrices: [String: String] = [:], more: [String: String] = [:]
  ) throws -> FixtureMachine {
    var files = ["\(path)/name": "chip\n"]
    for (type, numbers) in axes {
      for (axis, number) in zip(["x", "y", "z"], numbers) {
        files["\(path)/in_\(type)_\(axis)_raw"] = "\(number)\n"
        files["\(path)/scan_elements/in_\(type)_\(axis)_en"] = "1\n"
      }
      if type == "magn" { files["\(path)/in_magn_scale"] = "0.01\n" }
    }
    for (type, matrix) in matrices { files["\(path)/in_\(type)_mount_matrix"] = "\(matrix)\n" }
    for (name, text) in more { files["\(path)/\(name)"] = text }
    return try FixtureMachine(files)
  }

  static let still: [String: [Double]] = [
    "accel": [0, 0, 9.80665], "anglvel": [0, 0, 0], "magn": [0, 20, -44],
  ]
}

extension Machine {
  /// The same machine with buffers.
  func with(scans: any ScanOpener) -> Machine {
    Machine(
      nature: nature, files: files, notices: notices, clock: clock, switches: switches,
      addresses: addresses, iio: IIOAccess(files: files, scans: scans, mayBlock: false))
  }
}
