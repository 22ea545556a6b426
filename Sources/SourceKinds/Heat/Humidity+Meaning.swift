import Gathering

extension Humidity {
  static var about: KindMeaning {
    KindMeaning(
      "relative humidity of the air, and the temperature of the sensor",
      from: "IIO humidityrelative, then hwmon humidity",
      instances: "the chips")
  }
}

extension Humidity.Field {
  var meaning: Meaning {
    switch self {
    case .relativeHumidity:
      Meaning(
        "water in the air, of what it can hold",
        from: "IIO in_humidityrelative ÷ 1000; hwmon humidityN_input ÷ 1000")
    case .temperature:
      Meaning("temperature of the chip", from: "IIO in_temp, m°C ÷ 1000; hwmon temp1_input ÷ 1000")
    default: tailMeaning
    }
  }
}
