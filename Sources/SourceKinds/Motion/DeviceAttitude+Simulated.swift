import Gathering

extension DeviceAttitude {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      let chip = SimulatedChip(
        name: "bma253.accel-display", driver: "bma253", label: "accel-display", incline: 65)
      return Self.lines(chip)
    case .phone:
      return Self.lines(SimulatedChip(name: "mpu6050", driver: "mpu6050", incline: 35))
    }
  }

  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "device_attitude|\(chip.name)"
    let keys = [
      "attitude", "roll", "pitch", "yaw", "gravity", "user_acceleration", "rotation_rate",
    ]
    return """
      0 add \(id)
      \(chip.moving(id, keys))
      0 set \(id)/reference "magnetic_north"
      0 set \(id)/accuracy "high"
      0 set \(id)/magnetic_disturbance false
      0 set \(id)/at_rest false
      0 set \(id)/inverted false
      \(chip.tail(id, rate: 100))
      0 set \(id)/frame "device"
      """
  }
}
