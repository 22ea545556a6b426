import Gathering

extension AmbientLight {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip(on: device, laptop: "als", phone: "stk3310")
    let lux = device.part(laptop: 320.0, phone: 180.0)
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
