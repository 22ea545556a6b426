import Gathering
import Testing
import Values

@testable import SourceKinds

/// Lines of gpsd's protocol, key by key.
@Suite struct GpsdMessageTests {
  private func report(_ line: String) throws -> (PositionReport, String?) {
    guard case .report(let report, let device)? = GpsdMessage(Array(line.utf8)) else {
      throw Refusal()
    }
    return (report, device)
  }

  private struct Refusal: Error {}

  @Test func `every key of TPV has its own field`() throws {
    let (report, device) = try report(
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2026-06-21T12:00:02.500Z","#
        + #""ept":0.005,"lat":48.1,"lon":-11.5,"altHAE":592.3,"altMSL":545.4,"alt":1.0,"#
        + #""epx":3.0,"epy":4.0,"epv":34.5,"track":84.4,"magtrack":87.7,"magvar":3.3,"#
        + #""speed":5.25,"climb":-0.5,"eps":59.25,"epc":69.0,"epd":7.5,"geoidSep":46.9,"#
        + #""eph":17.1,"sep":34.2,"status":2,"unheard":[1,{"of":2}]}"#)
    #expect(device == "/dev/ttyUSB0")
    #expect(report.mode == 3)
    #expect(report.epoch == .named(1_782_043_202_500_000_000))
    let numbers: [(GPS.Field, Double)] = [
      (.latitude, 48.1), (.longitude, -11.5), (.altitudeMsl, 545.4), (.altitudeEllipsoid, 592.3),
      (.horizontalAccuracy, 17.1), (.verticalAccuracy, 34.5), (.speed, 5.25),
      (.speedAccuracy, 59.25), (.course, 84.4), (.courseAccuracy, 7.5), (.climb, -0.5),
      (.climbAccuracy, 69), (.timeAccuracy, 0.005),
    ]
    for (field, number) in numbers {
      #expect(report.values[field]?.outcome == .ok(.double(number)), "\(field)")
    }
    #expect(report.values[.fixQuality]?.outcome == .ok(.string("dgps")))
    #expect(report.values[.time]?.outcome == .ok(.time(1_782_043_202_500_000_000)))
    #expect(report.values.count == numbers.count + 2)
  }

  @Test func `without eph the accuracy is made of its parts`() throws {
    let (report, _) = try report(#"{"class":"TPV","mode":2,"epx":3.0,"epy":4}"#)
    #expect(report.values[.horizontalAccuracy]?.outcome == .ok(.double(5)))
    #expect(try self.report(#"{"class":"TPV","epx":3.0}"#).0.values[.horizontalAccuracy] == nil)
  }

  @Test func `implausible numbers cost themselves only, and north is 0 (V7)`() throws {
    let (report, _) = try report(
      #"{"class":"TPV","mode":3,"lat":91,"lon":180.5,"track":360.0,"speed":-1,"eph":"x","epv":2}"#)
    for field in [GPS.Field.latitude, .longitude, .speed, .horizontalAccuracy] {
      #expect(report.values[field]?.outcome.status == .failed, "\(field)")
    }
    #expect(report.values[.course]?.outcome == .ok(.double(0)))
    #expect(report.values[.verticalAccuracy]?.outcome == .ok(.double(2)))
  }

  @Test func `satellites are as told, or else counted`() throws {
    let (told, _) = try report(
      #"{"class":"SKY","device":"a","hdop":0.9,"vdop":1.5,"pdop":1.8,"nSat":12,"uSat":8,"#
        + #""satellites":[]}"#)
    #expect(told.epoch == .current && told.mode == nil)
    #expect(told.values[.satellitesVisible]?.outcome == .ok(.int(12)))
    #expect(told.values[.satellitesUsed]?.outcome == .ok(.int(8)))
    #expect(told.values[.hdop]?.outcome == .ok(.double(0.9)))
    #expect(told.values[.vdop]?.outcome == .ok(.double(1.5)))
    #expect(told.values[.pdop]?.outcome == .ok(.double(1.8)))
    let (counted, _) = try report(
      #"{"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false},{"PRN":3}]}"#)
    #expect(counted.values[.satellitesVisible]?.outcome == .ok(.int(3)))
    #expect(counted.values[.satellitesUsed]?.outcome == .ok(.int(1)))
    #expect(counted.values[.hdop] == nil)
  }

  @Test func `devices come in a list, and go one by one`() {
    let list = #"{"class":"DEVICES","devices":[{"path":"/dev/a"},{"no":1},{"path":""},7]}"#
    guard case .devices(["/dev/a"])? = GpsdMessage(Array(list.utf8)) else {
      Issue.record("no list")
      return
    }
    for (text, isThere) in [
      (#"{"class":"DEVICE","path":"/dev/a","activated":0}"#, false),
      (#"{"class":"DEVICE","path":"/dev/a","activated":1269959537.20}"#, true),
      (#"{"class":"DEVICE","path":"/dev/a","activated":"2026-06-21T12:00:00Z"}"#, true),
      (#"{"class":"DEVICE","path":"/dev/a"}"#, true),
    ] {
      guard case .device("/dev/a", isThere)? = GpsdMessage(Array(text.utf8)) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "7", #"{"class":7}"#, #"{"class":"TOFF"}"#, #"{"class":"WATCH"}"#,
    #"{"class":"TPV","lat":48.1,"lon":11.5"#, #"{"class":"TPV","lat":nan}"#,
    #"{"class":"VERSION"}"#, #"{"class":"VERSION","proto_major":"3"}"#, #"{"class":"DEVICES"}"#,
    #"{"class":"DEVICE"}"#, #"{"class":"ERROR","message":"Unrecognized request"}"#,
  ])
  func `what is no message costs its own line`(text: String) {
    #expect(GpsdMessage(Array(text.utf8)) == nil)
  }

  @Test func `times are those of the calendar`() {
    let moments: [(String, Int64?)] = [
      ("1970-01-01T00:00:00Z", 0), ("1999-08-22T00:00:00.0Z", 935_280_000_000_000_000),
      ("2000-02-29T23:59:59.999999999Z", 951_868_799_999_999_999),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
      ("1969-12-31T23:59:59Z", -1_000_000_000), ("2026-02-29T00:00:00Z", nil),
      ("2026-13-01T00:00:00Z", nil), ("2026-01-01T24:00:00Z", nil), ("2026-01-01", nil),
      ("2026-01-01T00:00:00", nil), ("2026-01-01T00:00:00.Z", nil), ("9999-01-01T00:00:00Z", nil),
    ]
    for (text, moment) in moments {
      #expect(TimeText.nanoseconds(iso8601: text) == moment, "\(text)")
    }
  }
}
