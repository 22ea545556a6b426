/// Sentences of a receiver, second by second: what gpsfake plays.
struct SatelliteLog {
  private(set) var lines: [String] = []

  var text: String { lines.map { $0 + "\r\n" }.joined() }

  /// A sentence with its checksum.
  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" + digits : digits)"
  }

  /// A line as it is.
  mutating func addRaw(_ line: String) { lines.append(line) }

  mutating func add(_ body: String) { lines.append(Self.sentence(body)) }

  /// A second with a fix in space, RMC first, as many receivers talk.
  mutating func addFix(
    second: Int, north: Double = 4807.0380, east: Double = 1131.0000, knots: Double = 10,
    date: String = "210626", used: String = "04,05,09,12,24,25,29,31"
  ) {
    let time = "1200\(second < 10 ? "0" : "")\(second).00"
    let place = "\(north),N,0\(east),E"
    add("GPRMC,\(time),A,\(place),\(knots),084.4,\(date),,,A")
    add("GPGGA,\(time),\(place),1,08,0.9,545.4,M,46.9,M,,")
    add("GPGSA,A,3,\(used),,,,,1.8,0.9,1.5")
    add("GPGSV,1,1,04,04,45,083,42,05,22,120,40,09,60,250,44,12,10,300,30")
    add("GPVTG,084.4,T,,M,\(knots),N,,K,A")
  }

  /// A second without a fix.
  mutating func addNothing(second: Int) {
    let time = "1200\(second < 10 ? "0" : "")\(second).00"
    add("GPRMC,\(time),V,,,,,,,210626,,,N")
    add("GPGGA,\(time),,,,,0,00,99.99,,,,,,")
    add("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99")
  }

  static let still: SatelliteLog = {
    var log = SatelliteLog()
    for second in 0..<20 { log.addFix(second: second) }
    return log
  }()

  static let nowhere: SatelliteLog = {
    var log = SatelliteLog()
    for second in 0..<20 { log.addNothing(second: second) }
    return log
  }()
}
