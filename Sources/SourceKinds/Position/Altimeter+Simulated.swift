import Gathering

extension Altimeter {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip(
      on: device, laptop: "press", phone: "bmp280",
      incline: device.part(laptop: 65, phone: 0))
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
