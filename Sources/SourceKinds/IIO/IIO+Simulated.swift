import Gathering

extension IIO {
  /// A converter that measures the supply.
  func simulated(on device: BuiltInDevice) -> String {
    var chip = SimulatedChip(on: device, laptop: "ina219", phone: "axp20x-adc")
    chip.location = "unknown"
    let volts = device.part(laptop: 11.8, phone: 3.92)
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
