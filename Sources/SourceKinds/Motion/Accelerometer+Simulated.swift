import Gathering

extension Accelerometer {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      let lid = SimulatedChip(
        name: "bma253.accel-display", driver: "bma253", label: "accel-display", incline: 65)
      let base = SimulatedChip(
        name: "kxcjk1013.accel-base", driver: "kxcjk1013", label: "accel-base", location: "base")
      return Self.lines(lid, orientation: "bottom-up") + "\n"
        + Self.lines(base, orientation: "undefined")
    case .phone:
      let chip = SimulatedChip(name: "mpu6050", driver: "mpu6050", incline: 35)
      return Self.lines(chip, orientation: "bottom-up")
    }
  }

  private static func lines(_ chip: SimulatedChip, orientation: String) -> String {
    let id = "accelerometer|\(chip.name)"
    return """
      0 add \(id)
      \(chip.moving(id, ["acceleration", "linear_acceleration", "gravity"]))
      0 set \(id)/orientation "\(orientation)"
      0 set \(id)/inverted false
      \(chip.mounted(id, rate: 100))
      """
  }
}
