import Gathering

extension Altimeter {
  static var about: KindMeaning {
    KindMeaning(
      "air pressure, and the heights that follow from it",
      from: "IIO pressure, else the altitude of gps",
      instances: "the pressure chips; without one the instance gps")
  }
}

extension Altimeter.Field {
  var meaning: Meaning {
    switch self {
    case .pressure:
      Meaning("air pressure, from 30 000 to 120 000 Pa", from: "IIO in_pressure, kPa × 1000")
    case .pressureAltitude:
      Meaning(
        "height in the standard atmosphere, where sea level has 101 325 Pa",
        from: "44330.769 m × (1 − (p ÷ 101325)^0.1902632)")
    case .altitude:
      Meaning(
        "height by the sea-level pressure that was set",
        from: "the same formula with sea_level_pressure; of gps altitude_msl")
    case .relativeAltitude:
      Meaning("height above where the session started", from: "difference of pressure_altitude")
    case .seaLevelPressure:
      Meaning(
        "pressure at sea level now, which the caller sets; no default",
        from: "the session's setting")
    case .temperature:
      Meaning("temperature of the chip", from: "IIO in_temp of the chip, m°C ÷ 1000")
    default: tailMeaning
    }
  }
}
