import Gathering

extension Altimeter {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "press", driver: "press", incline: 65))
    case .phone:
      Self.lines(SimulatedChip(name: "bmp280", driver: "bmp280"))
    }
  }

  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "altimeter|\(chip.name)"
    return """
      0 add \(id)
      \(chip.moving(id, ["pressure"]))
      0 set \(id)/temperature 24.5
      0 wave \(id)/temperature sine 0.5 0.002
      \(chip.tail(id, rate: 25))
      """
  }
}
