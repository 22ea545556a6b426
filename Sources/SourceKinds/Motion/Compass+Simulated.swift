import Gathering

extension Compass {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip.magnetometer(on: device)
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
