import Gathering

extension GPS {
  static var about: KindMeaning {
    KindMeaning(
      "where a receiver of satellite signals is, and how fast it moves",
      from: "gpsd, else GeoClue, else ModemManager, else NMEA of a serial port (parameter gnss=)",
      instances: "the receivers, and the aggregate, which has the values of the best one")
  }
}

extension GPSField {
  var meaning: Meaning {
    switch self {
    case .latitude:
      Meaning(
        "degrees north of the equator, WGS 84", from: "gpsd lat; GeoClue Latitude; NMEA GGA, RMC")
    case .longitude:
      Meaning(
        "degrees east of Greenwich, WGS 84", from: "gpsd lon; GeoClue Longitude; NMEA GGA, RMC")
    case .altitudeMsl:
      Meaning(
        "height above mean sea level, with a 3D fix only",
        from: "gpsd altMSL; GeoClue Altitude; NMEA GGA")
    case .altitudeEllipsoid:
      Meaning("height above the WGS 84 ellipsoid, with a 3D fix only", from: "gpsd altHAE")
    case .horizontalAccuracy:
      Meaning(
        "radius in which the position lies at about 95 %",
        from: "gpsd eph, else hypot(epx, epy); GeoClue Accuracy")
    case .verticalAccuracy:
      Meaning("how far off the altitude may be, at about 95 %", from: "gpsd epv")
    case .speed: Meaning("speed over the ground", from: "gpsd speed; GeoClue Speed; NMEA RMC, VTG")
    case .speedAccuracy: Meaning("how far off the speed may be", from: "gpsd eps")
    case .course:
      Meaning(
        "direction of movement over the ground, clockwise from true north, below 360",
        from: "gpsd track; GeoClue Heading; NMEA RMC, VTG")
    case .courseAccuracy: Meaning("how far off the course may be", from: "gpsd epd")
    case .climb: Meaning("vertical speed, upwards positive", from: "gpsd climb")
    case .climbAccuracy: Meaning("how far off the vertical speed may be", from: "gpsd epc")
    case .fix:
      Meaning(
        "whether the position is known, and whether the height is", from: "gpsd mode; NMEA GSA")
    case .fixQuality: Meaning("how the fix was made", from: "gpsd status; NMEA GGA")
    case .time:
      Meaning("time the receiver got from the satellites", from: "gpsd time; NMEA RMC, ZDA")
    case .timeAccuracy: Meaning("how far off the time may be", from: "gpsd ept")
    case .satellitesUsed:
      Meaning("satellites that the fix is made of", from: "gpsd uSat, else counted; NMEA GGA")
    case .satellitesVisible:
      Meaning("satellites in view", from: "gpsd nSat, else counted; NMEA GSV")
    case .hdop:
      Meaning(
        "dilution of precision in the plane: below 2 is good", from: "gpsd SKY hdop; NMEA GSA")
    case .vdop: Meaning("dilution of precision of the height", from: "gpsd SKY vdop; NMEA GSA")
    case .pdop: Meaning("dilution of precision in space", from: "gpsd SKY pdop; NMEA GSA")
    case .provider: Meaning("who the position comes from", from: "the backend in use")
    case .device:
      Meaning(
        "the receiver; the serial number in it is a digest without the category serial",
        from: "gpsd device, with its link in /dev/serial/by-id")
    }
  }
}
