import Gathering

extension Temperature {
  static var about: KindMeaning {
    KindMeaning(
      "temperatures of sensors that are no thermal zones",
      from: "IIO temperature channels, then hwmon channels",
      instances: "the sensors, those of the surroundings first")
  }
}

extension Temperature.Field {
  var meaning: Meaning {
    switch self {
    case .temperature:
      Meaning("the temperature", from: "IIO in_temp, m°C ÷ 1000; hwmon tempN_input ÷ 1000")
    case .role: Meaning("what the sensor measures the temperature of", from: "name of the channel")
    case .high: Meaning("the temperature that is too high", from: "hwmon tempN_max ÷ 1000")
    case .critical: Meaning("the temperature that does harm", from: "hwmon tempN_crit ÷ 1000")
    case .fault:
      Meaning("whether the chip reports a fault of the sensor", from: "hwmon tempN_fault")
    default: tailMeaning
    }
  }
}
