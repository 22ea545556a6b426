import Gathering

extension AmbientLight {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "als", driver: "als", incline: 65), lux: 320)
    case .phone:
      Self.lines(SimulatedChip(name: "stk3310", driver: "stk3310"), lux: 180)
    }
  }

  private static func lines(_ chip: SimulatedChip, lux: Double) -> String {
    let id = "ambient_light|\(chip.name)"
    let absent = [
      "intensity", "intensity_red", "intensity_green", "intensity_blue", "intensity_infrared",
      "color_temperature", "uv_index",
    ].map { "0 absent \(id)/\($0) unsupported the sensor measures illuminance only" }
    return """
      0 add \(id)
      0 set \(id)/illuminance \(lux)
      0 wave \(id)/illuminance sine \(lux / 2) 0.05
      \(absent.joined(separator: "\n"))
      \(chip.tail(id))
      """
  }
}
