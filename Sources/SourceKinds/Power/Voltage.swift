import Gathering

/// Voltages at the inputs of monitoring chips.
struct Voltage: RailKind {
  enum Field: Int, RailField {
    case voltage, average, minimum, maximum, criticalLow, critical, alarm, driver, label

    static let rail = Rail(
      key: "voltage", meaning: "the voltage; of the chip's pin where the board says no more",
      channel: "in", unit: "V", isBehindDivider: true)
  }

  let kind = "voltage"
  let name = "Voltage"
  static var about: KindMeaning {
    KindMeaning(
      "voltages that monitoring chips measure", from: "/sys/class/hwmon",
      instances: "the channels of the chips")
  }
  static let table = Field.properties

  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      """
      \(simulated("ina3221:in1", label: "12 V", 12, swing: 0.05))
      \(simulated("ina3221:in2", label: "3.3 V", 3.3, swing: 0.02))
      """
    case .phone: simulated("ina231:in1", label: "battery", 3.8, swing: 0.05)
    }
  }
}
