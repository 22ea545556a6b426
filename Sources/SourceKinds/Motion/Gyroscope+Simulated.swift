import Gathering

extension Gyroscope {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "gyro_3d", driver: "gyro_3d", incline: 65))
    case .phone:
      Self.lines(SimulatedChip(name: "mpu6050", driver: "mpu6050", incline: 35))
    }
  }

  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "gyroscope|\(chip.name)"
    return """
      0 add \(id)
      \(chip.moving(id, ["rotation_rate"]))
      0 set \(id)/temperature 31
      0 wave \(id)/temperature sine 0.5 0.003
      \(chip.mounted(id, rate: 100))
      """
  }
}
