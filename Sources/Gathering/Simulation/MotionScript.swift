/// Scripts of sensors that built-in devices have alike: those of their motion, which all follow one
/// `SimulatedMotion`, and those of their surroundings.
enum MotionScript {
  /// Where sensors are in a device.
  struct Chip {
    /// The part of ids after the kind.
    let name: String
    let driver: String
    var label: String?
    var location = "display"
    /// How steeply the part of the device it sits in is held, in degrees.
    var incline = 0.0
  }

  static func accelerometer(_ chip: Chip, orientation: String) -> String {
    let id = "accelerometer|\(chip.name)"
    return """
      0 add \(id)
      \(moving(id, ["acceleration", "linear_acceleration", "gravity"], chip))
      0 set \(id)/orientation "\(orientation)"
      0 set \(id)/inverted false
      \(mounted(id, chip, rate: 100))
      """
  }

  static func gyroscope(_ chip: Chip) -> String {
    let id = "gyroscope|\(chip.name)"
    return """
      0 add \(id)
      \(moving(id, ["rotation_rate"], chip))
      0 set \(id)/temperature 31
      0 wave \(id)/temperature sine 0.5 0.003
      \(mounted(id, chip, rate: 100))
      """
  }

  /// A magnetometer, and the compass it makes.
  static func magnetometer(_ chip: Chip) -> String {
    let id = "magnetometer|\(chip.name)"
    let compass = "compass|\(chip.name)"
    return """
      0 add \(id)
      \(moving(id, ["magnetic_field"], chip))
      0 set \(id)/magnitude 48.33218389437829
      0 set \(id)/accuracy "high"
      \(mounted(id, chip, rate: 50))
      0 add \(compass)
      \(moving(compass, ["magnetic_heading"], chip))
      0 absent \(compass)/true_heading noData no declination is set
      0 absent \(compass)/declination noData not set
      0 set \(compass)/accuracy 3
      0 set \(compass)/method "fusion"
      """
  }

  static func attitude(_ chip: Chip) -> String {
    let id = "device_attitude|\(chip.name)"
    let keys = [
      "attitude", "roll", "pitch", "yaw", "gravity", "user_acceleration", "rotation_rate",
    ]
    return """
      0 add \(id)
      \(moving(id, keys, chip))
      0 set \(id)/reference "magnetic_north"
      0 set \(id)/accuracy "high"
      0 set \(id)/magnetic_disturbance false
      0 set \(id)/at_rest false
      0 set \(id)/inverted false
      \(tail(id, chip, rate: 100))
      0 set \(id)/frame "device"
      """
  }

  static func altimeter(_ chip: Chip) -> String {
    let id = "altimeter|\(chip.name)"
    return """
      0 add \(id)
      \(moving(id, ["pressure"], chip))
      0 set \(id)/temperature 24.5
      0 wave \(id)/temperature sine 0.5 0.002
      \(tail(id, chip, rate: 25))
      """
  }

  // MARK: What chips have in common

  private static func moving(_ id: String, _ keys: [String], _ chip: Chip) -> String {
    keys.map { "0 set \(id)/\($0) motion \(chip.incline)" }.joined(separator: "\n")
  }

  /// Of chips whose axes are turned into the device's.
  private static func mounted(_ id: String, _ chip: Chip, rate: Int) -> String {
    """
    0 set \(id)/mount_matrix "1, 0, 0; 0, 1, 0; 0, 0, 1"
    \(tail(id, chip, rate: rate))
    0 set \(id)/frame "device"
    """
  }

  /// What every table of an IIO kind ends with (catalogue 3.2); 0 stands for no rate of its own.
  static func tail(_ id: String, _ chip: Chip, rate: Int = 0) -> String {
    let label = chip.label.map { "set \(id)/label \"\($0)\"" }
    return """
      0 \(rate > 0
        ? "set \(id)/sampling_frequency \(rate)"
        : "absent \(id)/sampling_frequency unsupported the sensor is polled")
      0 set \(id)/acquisition "poll"
      0 set \(id)/driver "\(chip.driver)"
      0 \(label ?? "absent \(id)/label unsupported the driver gives none")
      0 set \(id)/location "\(chip.location)"
      """
  }
}
