import Gathering

extension Compass {
  static var about: KindMeaning {
    KindMeaning(
      "where the top of the device points over the ground",
      from: "fusion, else an IIO heading, else tilt-compensated, else a service, else gps",
      instances: "one for each magnetometer; without any those of a service, or gps")
  }
}

extension Compass.Field {
  var meaning: Meaning {
    switch self {
    case .magneticHeading:
      Meaning(
        "direction of the device's +Y, clockwise from magnetic north, below 360",
        from: "VQF; IIO rot_from_north_magnetic_tilt_comp; atan2 of north and east")
    case .trueHeading:
      Meaning(
        "direction of the device's +Y, clockwise from true north",
        from: "magnetic_heading + declination; IIO rot_from_north_true_tilt_comp")
    case .declination:
      Meaning(
        "angle from true to magnetic north, east positive; can be set",
        from: "the session's setting, else the World Magnetic Model at the position of gps")
    case .accuracy:
      Meaning("how far off the heading may be", from: "the residual of field strength and dip")
    case .method: Meaning("how the heading is made", from: "the backend in use")
    }
  }
}
