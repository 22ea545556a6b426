import Gathering

extension Proximity {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip(on: device, laptop: "prox", phone: "stk3310")
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
