import Gathering

extension Proximity {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "prox", driver: "prox", incline: 65))
    case .phone:
      Self.lines(SimulatedChip(name: "stk3310", driver: "stk3310"))
    }
  }

  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "proximity|\(chip.name)"
    return """
      0 add \(id)
      0 set \(id)/near false
      0 set \(id)/raw 60
      0 wave \(id)/raw sine 25 0.1
      0 absent \(id)/distance unsupported the sensor has no scale
      0 set \(id)/near_level 500
      0 set \(id)/role "user"
      \(chip.tail(id))
      """
  }
}
