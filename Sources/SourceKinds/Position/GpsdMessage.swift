import Gathering
import Values

/// One line of gpsd's protocol, as far as it is used; other classes and keys are ignored.
enum GpsdMessage: Sendable {
  case version(major: Int64)
  /// All devices there are.
  case devices([String])
  /// A device is opened or, if not `isThere`, closed.
  case device(String, isThere: Bool)
  /// A report of a receiver; without a device it is the only one.
  case report(PositionReport, device: String?)

  /// The command that requests reports of gpsd.
  static let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
  /// The protocol spoken here.
  static let major: Int64 = 3

  /// Takes a line apart; nil for one that is none of these, or no JSON: it costs itself only.
  init?(_ line: [UInt8]) {
    guard let value = try? Value(json: line), case .dictionary(let members) = value else {
      return nil
    }
    switch members["class"]?.text {
    case "VERSION":
      guard case .int(let major)? = members["proto_major"] else { return nil }
      self = .version(major: major)
    case "DEVICES":
      guard case .list(let devices)? = members["devices"] else { return nil }
      self = .devices(devices.compactMap { Self.device(in: $0, named: "path") })
    case "DEVICE":
      guard let path = Self.device(in: value, named: "path") else { return nil }
      self = .device(path, isThere: members["activated"]?.number != 0)
    case "TPV":
      let report = Fields(members, line, "TPV").position
      self = .report(report, device: Self.device(in: value, named: "device"))
    case "SKY":
      let report = Fields(members, line, "SKY").sky
      self = .report(report, device: Self.device(in: value, named: "device"))
    default:
      return nil
    }
  }

  private static func device(in value: Value, named key: String) -> String? {
    guard case .dictionary(let members) = value, let path = members[key]?.text,
      !path.isEmpty, path.utf8.count <= 512, !path.utf8.contains(0)
    else { return nil }
    return path
  }
}

/// The members of a report as fields.
private struct Fields {
  private let members: ValueDictionary
  private let line: [UInt8]
  private let name: String

  init(_ members: ValueDictionary, _ line: [UInt8], _ name: String) {
    self.members = members
    self.line = line
    self.name = name
  }

  private static let numbers: [(GPSField, String)] = [
    (.latitude, "lat"), (.longitude, "lon"), (.altitudeMsl, "altMSL"),
    (.altitudeEllipsoid, "altHAE"), (.verticalAccuracy, "epv"), (.speed, "speed"),
    (.speedAccuracy, "eps"), (.course, "track"), (.courseAccuracy, "epd"), (.climb, "climb"),
    (.climbAccuracy, "epc"), (.timeAccuracy, "ept"),
  ]

  var position: PositionReport {
    var moment: Int64?
    var report = PositionReport(.current)
    if let text = members["time"]?.text {
      moment = TimeText.nanoseconds(iso8601: text)
      let outcome = moment.map { Outcome.ok(.time($0)) } ?? .unparsable(Array(text.utf8)[...])
      report.values[.time] = ReceiverValue(outcome, raw: raw("time"))
    }
    report.epoch = .named(moment)
    // A report without a mode has no fix.
    if case .int(let mode)? = members["mode"] { report.mode = Int(max(0, min(mode, 3))) }
    report.mode = report.mode ?? 0
    for (field, key) in Self.numbers { report.values[field] = reported(field, key) }
    report.values[.horizontalAccuracy] = horizontalAccuracy
    report.values[.fixQuality] = quality
    return report
  }

  var sky: PositionReport {
    var report = PositionReport(.current)
    for (field, key) in [(GPSField.hdop, "hdop"), (.vdop, "vdop"), (.pdop, "pdop")] {
      report.values[field] = reported(field, key)
    }
    report.values[.satellitesUsed] = count("uSat") { $0["used"] == .bool(true) }
    report.values[.satellitesVisible] = count("nSat") { _ in true }
    return report
  }

  private func reported(_ field: GPSField, _ key: String) -> ReceiverValue? {
    guard let value = members[key] else { return nil }
    let raw = raw(key)
    guard let number = value.number else {
      return ReceiverValue(.unparsable(raw.bytes[...]), raw: raw)
    }
    return ReceiverValue(number, of: field, raw: raw)
  }

  private var horizontalAccuracy: ReceiverValue? {
    if let reported = reported(.horizontalAccuracy, "eph") { return reported }
    guard let x = members["epx"]?.number, let y = members["epy"]?.number else { return nil }
    return ReceiverValue(
      (x * x + y * y).squareRoot(), of: .horizontalAccuracy,
      raw: RawValue(raw("epx").bytes + [0x20] + raw("epy").bytes, place: "\(name).epx, \(name).epy")
    )
  }

  private var quality: ReceiverValue? {
    guard let value = members["status"] else { return nil }
    guard case .int(let number) = value else {
      return ReceiverValue(.unparsable(raw("status").bytes[...]), raw: raw("status"))
    }
    let words: [Int64: String] = [
      1: "normal", 2: "dgps", 3: "rtk_fixed", 4: "rtk_float", 5: "dead_reckoning",
      6: "dead_reckoning", 7: "surveyed", 8: "simulated", 9: "pps",
    ]
    let outcome = words[number].map { Outcome.ok(.string($0)) } ?? .noData("the quality is unknown")
    return ReceiverValue(outcome, raw: raw("status"))
  }

  /// A number of satellites: as reported, or else counted in their list.
  private func count(_ key: String, where counts: (ValueDictionary) -> Bool) -> ReceiverValue? {
    if let value = members[key] {
      guard case .int(let number) = value, (0...10_000).contains(number) else {
        return ReceiverValue(.unparsable(raw(key).bytes[...]), raw: raw(key))
      }
      return ReceiverValue(.ok(.int(number)), raw: raw(key))
    }
    guard case .list(let satellites)? = members["satellites"] else { return nil }
    let number = satellites.count { satellite in
      if case .dictionary(let members) = satellite { counts(members) } else { false }
    }
    return ReceiverValue(
      .ok(.int(Int64(number))), raw: RawValue("\(number)".utf8, place: "\(name).satellites"))
  }

  private func raw(_ key: String) -> RawValue {
    RawValue(MemberText.of(key, in: line), place: "\(name).\(key)")
  }
}

/// The text of a member of an object, as it was written.
enum MemberText {
  /// The text after the first `"key":`, without quotation marks; empty if there is none.
  static func of(_ key: String, in line: [UInt8]) -> ArraySlice<UInt8> {
    let name = Array("\"\(key)\"".utf8)
    var rest = line[...]
    while rest.count > name.count {
      guard rest.starts(with: name) else {
        rest = rest.dropFirst()
        continue
      }
      let text = rest.dropFirst(name.count).drop { $0 == 0x20 || $0 == UInt8(ascii: ":") }
      if text.first == UInt8(ascii: "\"") {
        return text.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      }
      return text.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != 0x20 }
    }
    return []
  }
}
