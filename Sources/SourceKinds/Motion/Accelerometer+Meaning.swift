import Gathering

extension Accelerometer {
  static var about: KindMeaning {
    KindMeaning(
      "acceleration with gravity, and which side of the device is up",
      from: "IIO accel channels x, y and z, else iio-sensor-proxy for the orientation",
      instances: "the chips, that of the display first")
  }
}

extension Accelerometer.Field {
  var meaning: Meaning {
    switch self {
    case .acceleration:
      Meaning("acceleration along the device's axes, gravity included", from: "IIO in_accel")
    case .linearAcceleration:
      Meaning(
        "acceleration without gravity, where the hardware tells it", from: "IIO in_accel_linear")
    case .gravity:
      Meaning(
        "the part that is gravity, where the hardware tells it",
        from: "IIO in_gravity of this device or of one of its hub")
    case .orientation:
      Meaning(
        "which edge of the screen is up, in the words of the desktop",
        from: "computed from acceleration; iio-sensor-proxy AccelerometerOrientation")
    case .inverted:
      Meaning(
        "whether the vectors of this session are negated; can be set",
        from: "the session's setting, false at first")
    case .mountMatrix:
      Meaning(
        "how the chip is turned against the device: nine numbers",
        from: "IIO mount_matrix, else udev ACCEL_MOUNT_MATRIX")
    default: tailMeaning
    }
  }
}
