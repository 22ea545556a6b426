/// Scripts of sensors for what is around a built-in device, and of those that count.
enum SurroundingsScript {
  typealias Chip = MotionScript.Chip

  static func light(_ chip: Chip, lux: Double) -> String {
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
      \(MotionScript.tail(id, chip))
      """
  }

  static func proximity(_ chip: Chip) -> String {
    let id = "proximity|\(chip.name)"
    return """
      0 add \(id)
      0 set \(id)/near false
      0 set \(id)/raw 60
      0 wave \(id)/raw sine 25 0.1
      0 absent \(id)/distance unsupported the sensor has no scale
      0 set \(id)/near_level 500
      0 set \(id)/role "user"
      \(MotionScript.tail(id, chip))
      """
  }

  static func humidity(_ chip: Chip) -> String {
    let id = "humidity|\(chip.name)"
    return """
      0 add \(id)
      0 set \(id)/relative_humidity 45
      0 wave \(id)/relative_humidity sine 5 0.002
      0 set \(id)/temperature 21.5
      0 wave \(id)/temperature sine 0.5 0.001
      \(MotionScript.tail(id, chip, rate: 1))
      """
  }

  /// Two steps a second.
  static func steps(_ chip: Chip) -> String {
    let id = "steps|\(chip.name)"
    return """
      0 add \(id)
      \(BuiltInScript.growing("\(id)/count", by: 2))
      0 set \(id)/activity "walking"
      \(MotionScript.tail(id, chip))
      """
  }

  /// A converter that measures the supply.
  static func converter(_ chip: Chip, volts: Double) -> String {
    let id = "iio|\(chip.name)"
    return """
      0 add \(id)
      0 set \(id)/voltage0 \(volts)
      0 wave \(id)/voltage0 sine \(volts / 50) 0.02
      0 set \(id)/current0 0.9
      0 wave \(id)/current0 noise 0.2 5
      \(MotionScript.tail(id, chip, rate: 10))
      0 set \(id)/frame "sensor"
      """
  }
}
