import Gathering

extension Gyroscope {
  static var about: KindMeaning {
    KindMeaning(
      "how fast the device turns about each of its axes",
      from: "IIO anglvel channels x, y and z",
      instances: "the chips, that of the display first")
  }
}

extension Gyroscope.Field {
  var meaning: Meaning {
    switch self {
    case .rotationRate:
      Meaning("speed of turning about each axis, right-handed", from: "IIO in_anglvel")
    case .temperature:
      Meaning("temperature of the chip", from: "IIO in_temp of the chip, m°C ÷ 1000")
    case .mountMatrix:
      Meaning("how the chip is turned against the device: nine numbers", from: "IIO mount_matrix")
    default: tailMeaning
    }
  }
}
