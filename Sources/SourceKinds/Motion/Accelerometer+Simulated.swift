import Gathering

extension Accelerometer {
  func simulated(on device: BuiltInDevice) -> String {
    let display = Self.lines(.displayAccelerometer(on: device), orientation: "bottom-up")
    let base = SimulatedChip(
      name: "kxcjk1013.accel-base", driver: "kxcjk1013", label: "accel-base", location: "base")
    return device.part(
      laptop: display + "\n" + Self.lines(base, orientation: "undefined"), phone: display)
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
