import Gathering

extension Steps {
  /// Two steps a second.
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip(on: device, laptop: "bma400", phone: "bma400")
    let id = "steps|\(chip.name)"
    return """
      0 add \(id)
      \(SimulatedCounter.lines("\(id)/count", by: 2))
      0 set \(id)/activity "walking"
      \(chip.tail(id))
      """
  }
}
