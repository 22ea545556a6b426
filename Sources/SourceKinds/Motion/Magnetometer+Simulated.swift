import Gathering

extension Magnetometer {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "magn_3d", driver: "magn_3d", incline: 65))
    case .phone:
      Self.lines(SimulatedChip(name: "lis3mdl", driver: "lis3mdl", incline: 35))
    }
  }

  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "magnetometer|\(chip.name)"
    return """
      0 add \(id)
      \(chip.moving(id, ["magnetic_field"]))
      0 set \(id)/magnitude 48.33218389437829
      0 set \(id)/accuracy "high"
      \(chip.mounted(id, rate: 50))
      """
  }
}
