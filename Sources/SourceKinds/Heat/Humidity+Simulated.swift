import Gathering

extension Humidity {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "humidity", driver: "humidity", incline: 65))
    case .phone:
      Self.lines(SimulatedChip(name: "hts221", driver: "hts221"))
    }
  }

  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "humidity|\(chip.name)"
    return """
      0 add \(id)
      0 set \(id)/relative_humidity 45
      0 wave \(id)/relative_humidity sine 5 0.002
      0 set \(id)/temperature 21.5
      0 wave \(id)/temperature sine 0.5 0.001
      \(chip.tail(id, rate: 1))
      """
  }
}
