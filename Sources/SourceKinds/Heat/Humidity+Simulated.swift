import Gathering

extension Humidity {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip(on: device, laptop: "humidity", phone: "hts221")
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
