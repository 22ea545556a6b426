import Gathering

extension Steps {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(SimulatedChip(name: "bma400", driver: "bma400", incline: 65))
    case .phone:
      Self.lines(SimulatedChip(name: "bma400", driver: "bma400"))
    }
  }

  /// Two steps a second.
  private static func lines(_ chip: SimulatedChip) -> String {
    let id = "steps|\(chip.name)"
    return """
      0 add \(id)
      \(SimulatedCounter.lines("\(id)/count", by: 2))
      0 set \(id)/activity "walking"
      \(chip.tail(id))
      """
  }
}
