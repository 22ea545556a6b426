import Gathering
import Testing
import Values

@testable import SourceKinds

/// Sentences of a receiver on a port of its own.
@Suite struct NMEADecoderTests {
  private var decoder = NMEADecoder()

  private mutating func report(_ body: String) -> PositionReport? {
    decoder.report(Array(SatelliteLog.sentence(body).utf8), at: 0)
  }

  private func near(_ told: ReceiverValue?, _ number: Double) -> Bool {
    guard case .double(let value)? = told?.outcome.value else { return false }
    return abs(value - number) < 1e-9
  }

  @Test mutating func `RMC tells place, time, speed in knots and course`() throws {
    let told = try #require(
      report("GNRMC,120002.50,A,4807.0380,S,01131.0000,W,010.0,084.4,210626,,,A"))
    #expect(told.mode == 2)
    #expect(near(told.values[.latitude], -48.1173))
    #expect(near(told.values[.longitude], -(11 + 31.0 / 60)))
    #expect(near(told.values[.speed], 10 * 1852 / 3600))
    #expect(near(told.values[.course], 84.4))
    #expect(told.values[.time]?.outcome == .ok(.time(1_782_043_202_500_000_000)))
    #expect(report("GPRMC,120003,V,,,,,,,210626,,,N")?.mode == 1)
  }

  @Test mutating func `GGA tells height, quality and satellites`() throws {
    _ = report("GPRMC,120002.50,A,4807.0380,N,01131.0000,E,010.0,084.4,210626,,,A")
    let told = try #require(
      report("GPGGA,120002.50,4807.0380,N,01131.0000,E,4,08,0.9,545.4,M,46.9,M,,"))
    #expect(told.mode == 3)
    #expect(told.epoch == .named(43_202_500_000_000))
    #expect(near(told.values[.altitudeMsl], 545.4))
    #expect(near(told.values[.altitudeEllipsoid], 592.3))
    #expect(told.values[.fixQuality]?.outcome == .ok(.string("rtk_fixed")))
    #expect(told.values[.satellitesUsed]?.outcome == .ok(.int(8)))
    #expect(near(told.values[.hdop], 0.9))
    #expect(told.values[.time]?.outcome == .ok(.time(1_782_043_202_500_000_000)))
    #expect(report("GPGGA,120003,,,,,0,00,99.99,,,,,,")?.mode == 1)
  }

  @Test mutating func `GSA tells the kind of fix, and then GGA does not`() throws {
    let told = try #require(report("GNGSA,A,2,04,05,,,,,,,,,,,1.8,0.9,1.5"))
    #expect(told.mode == 2 && told.epoch == .current)
    #expect(near(told.values[.pdop], 1.8) && near(told.values[.hdop], 0.9))
    #expect(near(told.values[.vdop], 1.5))
    let fix = report("GPGGA,120002,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
    #expect(fix?.mode == 2)
    let none = report("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99")
    #expect(none?.values[.hdop]?.outcome.status == .noData)
  }

  @Test mutating func `satellites in view are added up over the talkers`() {
    #expect(
      report("GPGSV,3,1,11,04,45,083,42")?.values[.satellitesVisible]?.outcome == .ok(.int(11)))
    #expect(
      report("GLGSV,2,1,07,65,45,083,42")?.values[.satellitesVisible]?.outcome == .ok(.int(18)))
    #expect(
      report("GPGSV,3,2,10,05,45,083,42")?.values[.satellitesVisible]?.outcome == .ok(.int(17)))
  }

  @Test mutating func `VTG tells course and speed without a time`() throws {
    let told = try #require(report("GPVTG,084.4,T,,M,3600.0,N,018.5,K,A"))
    #expect(told.epoch == .current && told.mode == nil)
    #expect(near(told.values[.speed], 1852) && near(told.values[.course], 84.4))
  }

  @Test func `a sentence without a valid checksum is dropped`() {
    let good = SatelliteLog.sentence("GPVTG,084.4,T,,M,010.0,N,018.5,K,A")
    #expect(NMEASentence(Array(good.utf8)) != nil)
    let bad = [
      String(good.dropLast(3)), String(good.dropLast()), good + "0", good.lowercased(),
      good.replacing("084", with: "085"), "$*00", "", "$", "*", "$GPVTG", "\u{0}",
      String(good.dropFirst()), good.replacing("*", with: "*+"),
    ]
    for text in bad where text != good { #expect(NMEASentence(Array(text.utf8)) == nil, "\(text)") }
    // What the line before left behind is passed over.
    #expect(NMEASentence(Array(("$GPRM" + good).utf8)) != nil)
  }

  @Test mutating func `places that make no sense cost themselves only`() throws {
    let told = try #require(report("GPRMC,120002,A,4860.0000,N,01131.0000,X,010.0,,210626,,,A"))
    #expect(told.values[.latitude]?.outcome.status == .failed)
    #expect(told.values[.longitude]?.outcome.status == .failed)
    #expect(near(told.values[.speed], 10 * 1852 / 3600))
  }
}
