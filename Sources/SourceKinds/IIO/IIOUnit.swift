/// The unit a channel is published in, and the step from the kernel's unit to it.
///
/// The number is multiplied before it is divided, so that thousandths lose nothing
/// (catalogue 3.1).
struct IIOUnit: Equatable, Sendable {
  /// UCUM.
  let code: String
  let times: Double
  let over: Double

  init(_ code: String, times: Double = 1, over: Double = 1) {
    self.code = code
    self.times = times
    self.over = over
  }

  /// A number of the kernel's in the unit.
  func apply(to number: Double) -> Double { number * times / over }

  /// The unit of a channel of a device (catalogue 3.2); `1` where the kernel's interface names
  /// none.
  init(of channel: String, on device: IIODevice) {
    let type = String(channel.prefix { $0 != "_" && $0 != "-" && !$0.isDecimalDigit })
    switch type {
    case "incli": self.init(device.isOnHub ? "rad" : "deg")
    case "proximity":
      self.init(device.attribute("scale", of: channel) == nil ? "1" : "m")
    case "rot": self.init("1")
    default: self = Self.table[type] ?? IIOUnit("1")
    }
  }

  static let table: [String: IIOUnit] = [
    "accel": IIOUnit("m/s2"),
    "gravity": IIOUnit("m/s2"),
    "anglvel": IIOUnit("rad/s"),
    "magn": IIOUnit("uT", times: 100),
    "pressure": IIOUnit("Pa", times: 1000),
    "temp": IIOUnit("Cel", over: 1000),
    "humidityrelative": IIOUnit("%", over: 1000),
    "illuminance": IIOUnit("lx"),
    "concentration": IIOUnit("%"),
    "massconcentration": IIOUnit("ug/m3"),
    "voltage": IIOUnit("V", over: 1000),
    "altvoltage": IIOUnit("V", over: 1000),
    "current": IIOUnit("A", over: 1000),
    "power": IIOUnit("W", over: 1000),
    "energy": IIOUnit("J"),
    "distance": IIOUnit("m"),
    "angl": IIOUnit("rad"),
    "resistance": IIOUnit("Ohm"),
    "capacitance": IIOUnit("nF"),
  ]
}
