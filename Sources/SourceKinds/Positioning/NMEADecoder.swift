import Gathering

/// What the sentences of one receiver mean: RMC, GGA, GSA, GSV and VTG of any talker.
struct NMEADecoder: Sendable {
  /// Metres a second in a knot.
  private static let knot = 1852.0 / 3600

  /// The day RMC told last: GGA knows the time of day only.
  private var days: Int64?
  /// Whether GSA tells what kind of fix there is.
  private var hearsMode = false
  /// Satellites in view by talker.
  private var inView: [String: Int64] = [:]

  /// What a line tells; nil for one that is no sentence, or none of these.
  mutating func report(_ line: [UInt8]) -> PositionReport? {
    guard let sentence = NMEASentence(line) else { return nil }
    switch sentence.type {
    case "RMC": return recommended(sentence)
    case "GGA": return fix(sentence)
    case "GSA": return active(sentence)
    case "GSV": return view(sentence)
    case "VTG": return course(sentence)
    default: return nil
    }
  }

  private mutating func recommended(_ sentence: NMEASentence) -> PositionReport {
    let date = sentence[9]
    if date.count == 6, let day = date.prefix(2).decimal,
      let month = date.dropFirst(2).prefix(2).decimal, let year = date.suffix(2).decimal
    {
      days = TimeText.days(year: year + (year < 80 ? 2000 : 1900), month: month, day: day)
    }
    var report = begin(sentence, mode: sentence[2].elementsEqual("A".utf8) ? 2 : 1)
    place(&report, sentence, from: 3)
    report.told[.speed] = told(.speed, sentence, 7, times: Self.knot)
    report.told[.course] = told(.course, sentence, 8)
    return report
  }

  private mutating func fix(_ sentence: NMEASentence) -> PositionReport {
    let quality = sentence[6].decimal ?? 0
    let hasHeight = !sentence[9].isEmpty && !hearsMode
    var report = begin(sentence, mode: quality == 0 ? 1 : hasHeight ? 3 : 2)
    place(&report, sentence, from: 2)
    let words = [
      "normal", "dgps", "pps", "rtk_fixed", "rtk_float", "dead_reckoning", "surveyed",
      "simulated",
    ]
    if words.indices.contains(Int(clamping: quality) - 1) {
      report.told[.fixQuality] = Told(
        .ok(.string(words[Int(quality) - 1])), raw: raw(sentence, 6))
    }
    if let used = sentence[7].decimal {
      report.told[.satellitesUsed] = Told(.ok(.int(used)), raw: raw(sentence, 7))
    }
    report.told[.hdop] = dilution(.hdop, sentence, 8)
    report.told[.altitudeMsl] = told(.altitudeMsl, sentence, 9)
    if let height = NumberText.decimal(sentence[9]), let above = NumberText.decimal(sentence[11]) {
      report.told[.altitudeEllipsoid] = Told(
        height + above, of: .altitudeEllipsoid, raw: raw(sentence, 11))
    }
    return report
  }

  private mutating func active(_ sentence: NMEASentence) -> PositionReport {
    var report = PositionReport(.current, mode: sentence[2].decimal.map { Int(clamping: $0) })
    if let mode = report.mode, (1...3).contains(mode) {
      hearsMode = true
    } else {
      report.mode = nil
    }
    report.told[.pdop] = dilution(.pdop, sentence, 15)
    report.told[.hdop] = dilution(.hdop, sentence, 16)
    report.told[.vdop] = dilution(.vdop, sentence, 17)
    return report
  }

  private mutating func view(_ sentence: NMEASentence) -> PositionReport {
    var report = PositionReport(.current)
    if let count = sentence[3].decimal, (0...999).contains(count), inView.count < 16 {
      inView[sentence.talker] = count
      report.told[.satellitesVisible] = Told(
        .ok(.int(inView.values.reduce(0, +))), raw: raw(sentence, 3))
    }
    return report
  }

  private func course(_ sentence: NMEASentence) -> PositionReport {
    var report = PositionReport(.current)
    report.told[.course] = told(.course, sentence, 1)
    report.told[.speed] = told(.speed, sentence, 5, times: Self.knot)
    return report
  }

  // MARK: Parts

  /// Begins a report with the time of day in field 1.
  private func begin(_ sentence: NMEASentence, mode: Int) -> PositionReport {
    let text = sentence[1]
    guard text.count >= 6, let hour = text.prefix(2).decimal,
      let minute = text.dropFirst(2).prefix(2).decimal,
      let second = text.dropFirst(4).prefix(2).decimal,
      let clock = TimeText.nanoseconds(
        hour: hour, minute: minute, second: second, fraction: text.dropFirst(6))
    else { return PositionReport(.named(nil), mode: mode) }
    var report = PositionReport(.named(clock), mode: mode)
    if let moment = days.flatMap({ TimeText.moment(days: $0, nanoseconds: clock) }) {
      report.told[.time] = Told(.ok(.time(moment)), raw: raw(sentence, 1))
    }
    return report
  }

  /// Latitude, its half, longitude, its half: `4807.0380,N,01131.0000,E`.
  private func place(_ report: inout PositionReport, _ sentence: NMEASentence, from first: Int) {
    let places: [(GPS.Field, Int, Int, String, String)] = [
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
        report.told[field] = Told(.unparsable(text), raw: raw(sentence, number))
        continue
      }
      let value = Double(degrees) + minutes / 60
      report.told[field] = Told(
        half == positive ? value : -value, of: field, raw: raw(sentence, number))
    }
  }

  private func told(
    _ field: GPS.Field, _ sentence: NMEASentence, _ number: Int, times factor: Double = 1
  ) -> Told? {
    let text = sentence[number]
    if text.isEmpty { return nil }
    let raw = raw(sentence, number)
    guard let value = NumberText.decimal(text) else { return Told(.unparsable(text), raw: raw) }
    return Told(value * factor, of: field, raw: raw)
  }

  /// A receiver that knows none says 99.99.
  private func dilution(_ field: GPS.Field, _ sentence: NMEASentence, _ number: Int) -> Told? {
    guard let told = told(field, sentence, number) else { return nil }
    if let value = told.outcome.value.number, value >= 99 {
      return Told(.noData("the receiver does not know"), raw: told.raw)
    }
    return told
  }

  private func raw(_ sentence: NMEASentence, _ number: Int) -> RawValue {
    RawValue(sentence[number], place: "\(sentence.talker)\(sentence.type) field \(number)")
  }
}
