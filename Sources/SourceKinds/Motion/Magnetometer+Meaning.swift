import Gathering

extension Magnetometer {
  static var about: KindMeaning {
    KindMeaning(
      "the magnetic field about the device",
      from: "IIO magn channels x, y and z",
      instances: "the chips, that of the display first")
  }
}

extension Magnetometer.Field {
  var meaning: Meaning {
    switch self {
    case .magneticField:
      Meaning("the field along the device's axes", from: "IIO in_magn, gauss × 100")
    case .magnitude:
      Meaning(
        "strength of the field; that of the Earth is 25 to 65 µT", from: "length of magnetic_field")
    case .accuracy:
      Meaning(
        "whether the field can be that of the Earth",
        from: "magnitude: from 25 to 65 µT is medium, else unreliable")
    case .mountMatrix:
      Meaning("how the chip is turned against the device: nine numbers", from: "IIO mount_matrix")
    default: tailMeaning
    }
  }
}
