import Gathering
import Values

/// Decodes the sentences of one receiver: RMC, ZDA, GGA, GSA, GSV and VTG of any talker.
struct NMEADecoder: Sendable {
  /// The mode of the fix in GSA.
  private struct Mode {
    var mode: Int
    /// Its time of day, and when it arrived (boot ns).
    var clock: Int64?
    var moment: Int64
  }

  /// How long a GSA counts: some receivers send one in some epochs only.
  static let patience: Int64 = 10_000_000_000
  /// Metres a second in a knot.
  private static let knot = 1852.0 / 3600

  /// The last date: GGA has the time of day only.
  private var date: ReceiverDate
  private var mode: Mode?
  /// The last time of day.
  private var clock: Int64?
  /// Satellites in view by talker.
  private var inView: [String: Int64] = [:]

  /// Makes a decoder without any sentence received; dates are judged by the day the library was
  /// built, in days since 1970.
  init(built: Int64 = ReceiverDate.built) { date = ReceiverDate(built: built) }

  /// The report of a line received at a boot time; nil for a line that is no sentence, or none of
  /// these.
  mutating func report(_ line: [UInt8], at now: Int64) -> PositionReport? {
    guard let sentence = NMEASentence(line) else { return nil }
    if let mode, now - mode.moment >= Self.patience { self.mode = nil }
    switch sentence.type {
    case "RMC": return recommended(sentence)
    case "ZDA": return calendar(sentence)
    case "GGA": return fix(sentence)
    case "GSA": return active(sentence, at: now)
    case "GSV": return view(sentence)
    case "VTG": return course(sentence)
    default: return nil
    }
  }

  /// A void one, `V`, has the date of a clock that no satellite has set.
  private mutating func recommended(_ sentence: NMEASentence) -> PositionReport {
    let isValid = sentence[2].elementsEqual("A".utf8)
    let text = sentence[9]
    if isValid, text.count == 6, let day = text.prefix(2).decimal,
      let month = text.dropFirst(2).prefix(2).decimal, let year = text.suffix(2).decimal
    {
      date.take(
        TimeText.days(year: year + (year < 80 ? 2000 : 1900), month: month, day: day),
        at: Self.clock(sentence[1]))
    }
    var report = begin(sentence, mode: isValid ? max(2, mode?.mode ?? 2) : 1)
    place(&report, sentence, from: 3)
    report.values[.speed] = reported(.speed, sentence, 7, times: Self.knot)
    report.values[.course] = reported(.course, sentence, 8)
    return report
  }

  private mutating func calendar(_ sentence: NMEASentence) -> PositionReport? {
    guard let clock = Self.clock(sentence[1]), let day = sentence[2].decimal,
      let month = sentence[3].decimal, let year = sentence[4].decimal,
      let days = TimeText.days(year: year, month: month, day: day)
    else { return nil }
    date.take(days, at: clock)
    self.clock = clock
    var report = PositionReport(.named(clock))
    report.values[.time] = date.time(at: clock).map { ReceiverValue($0, raw: raw(sentence, 1)) }
    return report
  }

  private mutating func fix(_ sentence: NMEASentence) -> PositionReport {
    let quality = sentence[6].decimal ?? 0
    let hasHeight = mode.map { $0.mode == 3 } ?? !sentence[9].isEmpty
    var report = begin(sentence, mode: quality == 0 ? 1 : hasHeight ? 3 : 2)
    place(&report, sentence, from: 2)
    let words = [
      "normal", "dgps", "pps", "rtk_fixed", "rtk_float", "dead_reckoning", "surveyed",
      "simulated",
    ]
    if words.indices.contains(Int(clamping: quality) - 1) {
      report.values[.fixQuality] = ReceiverValue(
        .ok(.string(words[Int(quality) - 1])), raw: raw(sentence, 6))
    }
    if let used = sentence[7].decimal {
      report.values[.satellitesUsed] = ReceiverValue(.ok(.int(used)), raw: raw(sentence, 7))
    }
    report.values[.hdop] = dilution(.hdop, sentence, 8)
    report.values[.altitudeMsl] = reported(.altitudeMsl, sentence, 9)
    if let height = NumberText.decimal(sentence[9]), let above = NumberText.decimal(sentence[11]) {
      report.values[.altitudeEllipsoid] = ReceiverValue(
        height + above, of: .altitudeEllipsoid, raw: raw(sentence, 11))
    }
    return report
  }

  /// Of several in one epoch, one for each system of satellites, the best counts.
  private mutating func active(_ sentence: NMEASentence, at now: Int64) -> PositionReport {
    var report = PositionReport(.current)
    if let reported = sentence[2].decimal, (1...3).contains(reported) {
      let isOneMore =
        mode.map { clock != nil && $0.clock == clock && now - $0.moment < PositionReceiver.breadth }
        ?? false
      let best = max(Int(reported), isOneMore ? mode?.mode ?? 1 : 1)
      mode = Mode(mode: best, clock: clock, moment: now)
      report.mode = best
    }
    report.values[.pdop] = dilution(.pdop, sentence, 15)
    report.values[.hdop] = dilution(.hdop, sentence, 16)
    report.values[.vdop] = dilution(.vdop, sentence, 17)
    return report
  }

  private mutating func view(_ sentence: NMEASentence) -> PositionReport {
    var report = PositionReport(.current)
    if let count = sentence[3].decimal, (0...999).contains(count), inView.count < 16 {
      inView[sentence.talker] = count
      report.values[.satellitesVisible] = ReceiverValue(
        .ok(.int(inView.values.reduce(0, +))), raw: raw(sentence, 3))
    }
    return report
  }

  private func course(_ sentence: NMEASentence) -> PositionReport {
    var report = PositionReport(.current)
    report.values[.course] = reported(.course, sentence, 1)
    report.values[.speed] = reported(.speed, sentence, 5, times: Self.knot)
    return report
  }

  // MARK: Parts

  /// Begins a report with the time of day in field 1; the clock of a receiver without a fix is not
  /// used.
  private mutating func begin(_ sentence: NMEASentence, mode: Int) -> PositionReport {
    clock = Self.clock(sentence[1])
    var report = PositionReport(.named(clock), mode: mode)
    if mode >= 2, let clock, let time = date.time(at: clock) {
      report.values[.time] = ReceiverValue(time, raw: raw(sentence, 1))
    }
    return report
  }

  /// The time of day, `hhmmss.sss`, in nanoseconds.
  private static func clock(_ text: ArraySlice<UInt8>) -> Int64? {
    guard text.count >= 6, let hour = text.prefix(2).decimal,
      let minute = text.dropFirst(2).prefix(2).decimal,
      let second = text.dropFirst(4).prefix(2).decimal
    else { return nil }
    return TimeText.nanoseconds(
      hour: hour, minute: minute, second: second, fraction: text.dropFirst(6))
  }

  /// Latitude, its half, longitude, its half: `4807.0380,N,01131.0000,E`.
  private func place(_ report: inout PositionReport, _ sentence: NMEASentence, from first: Int) {
    let places: [(GPSField, Int, Int, String, String)] = [
      (.latitude, first, 2, "N", "S"), (.longitude, first + 2, 3, "E", "W"),
    ]
    for (field, number, digits, positive, negative) in places {
      let text = sentence[number]
      if text.isEmpty { continue }
      let half = String(decoding: sentence[number + 1], as: UTF8.self)
      guard let degrees = text.prefix(digits).decimal,
        let minutes = NumberText.decimal(text.dropFirst(digits)), (0..<60).contains(minutes),
        half == positive || half == negative
      else {
        report.values[field] = ReceiverValue(.unparsable(text), raw: raw(sentence, number))
        continue
      }
      let value = Double(degrees) + minutes / 60
      report.values[field] = ReceiverValue(
        half == positive ? value : -value, of: field, raw: raw(sentence, number))
    }
  }

  private func reported(
    _ field: GPSField, _ sentence: NMEASentence, _ number: Int, times factor: Double = 1
  ) -> ReceiverValue? {
    let text = sentence[number]
    if text.isEmpty { return nil }
    let raw = raw(sentence, number)
    guard let value = NumberText.decimal(text) else {
      return ReceiverValue(.unparsable(text), raw: raw)
    }
    return ReceiverValue(value * factor, of: field, raw: raw)
  }

  /// A receiver without a value sends 99.99.
  private func dilution(_ field: GPSField, _ sentence: NMEASentence, _ number: Int)
    -> ReceiverValue?
  {
    guard let reported = reported(field, sentence, number) else { return nil }
    if let value = reported.outcome.value.number, value >= 99 {
      return ReceiverValue(.noData("the receiver does not know"), raw: reported.raw)
    }
    return reported
  }

  private func raw(_ sentence: NMEASentence, _ number: Int) -> RawValue {
    RawValue(sentence[number], place: "\(sentence.talker)\(sentence.type) field \(number)")
  }
}
