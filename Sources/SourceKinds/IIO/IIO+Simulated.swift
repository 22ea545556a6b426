import Gathering

extension IIO {
  /// What the built-in devices have of it.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.lines(
        SimulatedChip(name: "ina219", driver: "ina219", location: "unknown"), volts: 11.8)
    case .phone:
      Self.lines(
        SimulatedChip(name: "axp20x-adc", driver: "axp20x-adc", location: "unknown"), volts: 3.92)
    }
  }

  /// A converter that measures the supply.
  private static func lines(_ chip: SimulatedChip, volts: Double) -> String {
    let id = "iio|\(chip.name)"
    return """
      0 add \(id)
      0 set \(id)/voltage0 \(volts)
      0 wave \(id)/voltage0 sine \(volts / 50) 0.02
      0 set \(id)/current0 0.9
      0 wave \(id)/current0 noise 0.2 5
      \(chip.tail(id, rate: 10))
      0 set \(id)/frame "sensor"
      """
  }
}
