import Gathering

/// A chip of a built-in device, with the lines that all its kinds have.
struct SimulatedChip {
  /// The part of ids after the kind.
  var name: String
  let driver: String
  var label: String?
  var location = "display"
  /// How steeply the part of the device it sits in is held, in degrees.
  var incline = 0.0

  /// The properties of a thing that follow the motion of the device.
  func moving(_ id: String, _ keys: [String]) -> String {
    keys.map { "0 set \(id)/\($0) motion \(incline)" }.joined(separator: "\n")
  }

  /// The tail of a kind whose axes are turned into the device's.
  func mounted(_ id: String, rate: Int) -> String {
    """
    0 set \(id)/mount_matrix "1, 0, 0; 0, 1, 0; 0, 0, 1"
    \(tail(id, rate: rate))
    0 set \(id)/frame "device"
    """
  }

  /// What every table of an IIO kind ends with (catalogue 3.2); 0 stands for no rate of its own.
  func tail(_ id: String, rate: Int = 0) -> String {
    let label = label.map { "set \(id)/label \"\($0)\"" }
    return """
      0 \(rate > 0
        ? "set \(id)/sampling_frequency \(rate)"
        : "absent \(id)/sampling_frequency unsupported the sensor is polled")
      0 set \(id)/acquisition "poll"
      0 set \(id)/driver "\(driver)"
      0 \(label ?? "absent \(id)/label unsupported the driver gives none")
      0 set \(id)/location "\(location)"
      """
  }
}

extension SimulatedChip {
  /// The chip beside the display of a device, called as its driver. A laptop's display is held at
  /// 65 degrees and a phone's at 35, unless the chip has another incline.
  init(on device: BuiltInDevice, laptop: String, phone: String, incline: Double? = nil) {
    let name = device.part(laptop: laptop, phone: phone)
    self.init(name: name, driver: name, incline: incline ?? device.part(laptop: 65, phone: 35))
  }

  static func magnetometer(on device: BuiltInDevice) -> SimulatedChip {
    SimulatedChip(on: device, laptop: "magn_3d", phone: "lis3mdl")
  }

  /// The accelerometer that turns with the display: a laptop has another one in its base.
  static func displayAccelerometer(on device: BuiltInDevice) -> SimulatedChip {
    var chip = SimulatedChip(on: device, laptop: "bma253", phone: "mpu6050")
    if device == .laptop {
      chip.name += ".accel-display"
      chip.label = "accel-display"
    }
    return chip
  }
}
