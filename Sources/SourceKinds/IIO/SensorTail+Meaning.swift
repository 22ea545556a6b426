import Gathering

extension SensorTail.Field {
  var meaning: Meaning {
    switch self {
    case .samplingFrequency:
      Meaning("samples the hardware makes a second at present", from: "IIO sampling_frequency")
    case .acquisition: Meaning("how the values are got at present", from: "the backend in use")
    case .driver: Meaning("driver or model of the chip", from: "name")
    case .label: Meaning("the driver's label of the chip", from: "label")
    case .location:
      Meaning(
        "where in the device the chip is",
        from: "label accel-display and the like, else udev ACCEL_LOCATION")
    case .frame:
      Meaning(
        "whose axes vectors have: the device's or the chip's",
        from: "device where a mount matrix was applied")
    }
  }
}
