import Gathering

extension Magnetometer {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip.magnetometer(on: device)
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
