import Gathering

extension Compass {
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
    let id = "compass|\(chip.name)"
    return """
      0 add \(id)
      \(chip.moving(id, ["magnetic_heading"]))
      0 absent \(id)/true_heading noData no declination is set
      0 absent \(id)/declination noData not set
      0 set \(id)/accuracy 3
      0 set \(id)/method "fusion"
      """
  }
}
