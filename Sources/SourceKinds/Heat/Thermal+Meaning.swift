import Gathering

extension Thermal {
  static var about: KindMeaning {
    KindMeaning(
      "how warm the machine is, and how near to the temperatures at which Linux acts",
      from: "/sys/class/thermal",
      instances: "the aggregate, which is the hottest, then each zone, named by its type")
  }
}

extension Thermal.Field {
  var meaning: Meaning {
    switch self {
    case .temperature: Meaning("temperature of the zone", from: "temp ÷ 1000")
    case .state:
      Meaning(
        "how near the zone is to its limits",
        from: "temperature against the trips: active, passive, hot and critical")
    case .tripActive:
      Meaning("temperature at which fans start", from: "trip_point_N_temp of type active ÷ 1000")
    case .tripPassive:
      Meaning(
        "temperature at which the machine slows down",
        from: "trip_point_N_temp of type passive ÷ 1000")
    case .tripHot:
      Meaning(
        "temperature at which programs are told", from: "trip_point_N_temp of type hot ÷ 1000")
    case .tripCritical:
      Meaning(
        "temperature at which the machine turns off",
        from: "trip_point_N_temp of type critical ÷ 1000")
    case .enabled: Meaning("whether the kernel watches the zone", from: "mode")
    }
  }
}
