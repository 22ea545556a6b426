import Gathering

extension Proximity {
  static var about: KindMeaning {
    KindMeaning(
      "whether something is near the device, and how near",
      from: "IIO proximity, else iio-sensor-proxy; switches of input devices",
      instances: "the chips and switches, those that face the user first")
  }
}

extension Proximity.Field {
  var meaning: Meaning {
    switch self {
    case .near:
      Meaning(
        "whether something is near",
        from: "raw against near_level; iio-sensor-proxy ProximityNear; SW_FRONT_PROXIMITY")
    case .raw: Meaning("what the sensor measures: larger is closer", from: "IIO in_proximity_raw")
    case .distance:
      Meaning("distance, of sensors that measure one", from: "IIO in_proximity with a scale")
    case .nearLevel:
      Meaning(
        "the level of raw from which something is near",
        from: "in_proximity_nearlevel, else udev PROXIMITY_NEAR_LEVEL")
    case .role:
      Meaning("what the sensor is there for", from: "label of the device, such as proximity-lap")
    default: tailMeaning
    }
  }
}
