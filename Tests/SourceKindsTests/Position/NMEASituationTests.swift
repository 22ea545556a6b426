import Gathering
import Testing
import Values

@testable import SourceKinds

/// What receivers do out of doors, as logs of many makes show it: sentences that come in some
/// epochs only, clocks that nothing has set, weeks that began again.
@Suite struct NMEASituationTests {
  private static let second: Int64 = 1_000_000_000
  /// 2026-11-22.
  private static let built: Int64 = 20_779
  private static let place = "4807.0380,N,01131.0000,E"

  private var decoder = NMEADecoder(built: built)
  private var receiver = PositionReceiver(device: "/dev/ttyS0")
  private var now: Int64 = 0

  /// Says the sentences of one second, and lets them become a reading.
  private mutating func hear(_ sentences: String...) -> Reading {
    for sentence in sentences {
      if let report = decoder.report(Array(SatelliteLog.sentence(sentence).utf8), at: now) {
        _ = receiver.take(report, at: now)
      }
      now += Self.second / 1000
    }
    _ = receiver.settle(by: now + PositionReceiver.quietness)
    let reading = reading
    now += Self.second - Int64(sentences.count) * Self.second / 1000
    return reading
  }

  private var reading: Reading {
    var reading = Reading(properties: GPS.table.count)
    receiver.fill(&reading, provider: "nmea", at: now)
    return reading
  }

  private func fix(_ reading: Reading) -> String? { reading[GPS.Field.fix].value.text }

  private func rmc(_ clock: String, _ date: String, _ state: String = "A") -> String {
    "GNRMC,\(clock),\(state),\(state == "A" ? Self.place : ",,,"),0.5,084.4,\(date),,,A"
  }

  private func gga(_ clock: String, quality: Int = 1) -> String {
    let rest = quality == 0 ? ",,,,0,00,99.99,,,,,," : "\(Self.place),1,08,0.9,545.4,M,46.9,M,,"
    return "GNGGA,\(clock),\(rest)"
  }

  private func gsa(_ mode: Int, _ talker: String = "GN") -> String {
    "\(talker)GSA,A,\(mode),04,05,09,12,,,,,,,,,1.8,0.9,1.5"
  }

  // MARK: The mode of a GSA

  @Test mutating func `epochs without GSA keep a fix in space and its height`() {
    var told = hear(rmc("120000", "221126"), gga("120000"), gsa(3))
    #expect(fix(told) == "3d")
    for second in 1...9 {
      told = hear(rmc("12000\(second)", "221126"), gga("12000\(second)"))
      #expect(fix(told) == "3d", "second \(second)")
      #expect(told[GPS.Field.altitudeMsl].value == .double(545.4), "second \(second)")
    }
    // Course alone, as receivers tell it that are fast.
    told = hear(rmc("120009.50", "221126"))
    #expect(fix(told) == "3d")
  }

  @Test mutating func `a fix on a level stays one between GSAs, for 10 s`() {
    #expect(fix(hear(gga("120000"), gsa(2))) == "2d")
    for second in 1...9 { #expect(fix(hear(gga("12000\(second)"))) == "2d", "second \(second)") }
    #expect(fix(hear(gga("120010"))) == "2d")
    // GSA has ceased: the height speaks, as for a receiver that never sends one.
    #expect(fix(hear(gga("120011"))) == "3d")
  }

  @Test mutating func `a newer GSA counts at once, downwards too`() {
    #expect(fix(hear(rmc("120000", "221126"), gga("120000"), gsa(3))) == "3d")
    let level = hear(rmc("120001", "221126"), gga("120001"), gsa(2))
    #expect(fix(level) == "2d")
    #expect(level[GPS.Field.altitudeMsl].status == .noData)
    #expect(fix(hear(rmc("120002", "221126"), gga("120002"), gsa(3))) == "3d")
    #expect(fix(hear(rmc("120003", "", "V"), gga("120003", quality: 0), gsa(1))) == "none")
    // No GSA of old makes a fix.
    #expect(fix(hear(rmc("120004", "", "V"), gga("120004", quality: 0))) == "none")
  }

  @Test mutating func `of one GSA for each system the best counts, in later epochs too`() {
    let first = hear(gga("120000"), gsa(3, "GP"), gsa(1, "GL"))
    #expect(fix(first) == "3d")
    #expect(fix(hear(gga("120001"))) == "3d")
    #expect(fix(hear(gga("120002"), gsa(2, "GP"), gsa(1, "GL"))) == "2d")
  }

  @Test mutating func `a GSA that comes long after its epoch takes no position away`() {
    _ = hear(gga("120000"))
    let late = hear(gsa(3))
    #expect(late[GPS.Field.latitude].status == .ok)
    #expect(late[GPS.Field.altitudeMsl].value == .double(545.4))
    // Nor does one beside the time of the next second.
    let beside = hear("GNZDA,120002,22,11,2026,00,00", gsa(3))
    #expect(beside[GPS.Field.latitude].status == .ok)
  }

  // MARK: Dates

  private func time(_ reading: Reading) -> Outcome { reading[GPS.Field.time] }

  /// A moment of 2026-11-22, or of so many days after.
  private func moment(_ clock: Int64, days: Int64 = 0) -> Value {
    .time((Self.built + days) * 86_400 * Self.second + clock * Self.second)
  }

  @Test(arguments: ["060180", "210806", "070419", "221126"])
  mutating func `a void RMC's date reaches no value`(date: String) {
    for clock in ["000010", "000011"] {
      let told = hear(rmc(clock, date, "V"), gga(clock, quality: 0), gsa(1))
      #expect(time(told).status != .ok)
    }
    // A fix comes before RMC says so: the day is still unknown.
    #expect(time(hear(rmc("120000", date, "V"), gga("120000"), gsa(3))).status != .ok)
    #expect(time(hear(gga("120001"), gsa(3))).status != .ok)
    #expect(time(hear(rmc("120002", "221126"), gga("120002"))).value == moment(43_202))
    // Without satellites the clock is its own again.
    let lost = hear(rmc("000003", date, "V"), gga("000003", quality: 0))
    #expect(time(lost).status == .noData)
  }

  @Test mutating func `a receiver with ZDA and GGA alone has its time`() {
    #expect(time(hear(gga("235958"))).status == .noData)
    let told = hear(gga("235959"), "GPZDA,235959,22,11,2026,00,00")
    #expect(time(told).value == moment(86_399))
    // Midnight comes before the next date.
    #expect(
      time(hear(gga("000000.50"))).value
        == .time(
          (Self.built + 1) * 86_400 * Self.second + Self.second / 2))
    #expect(time(hear(gga("000001"))).value == moment(1, days: 1))
    #expect(time(hear("GPZDA,000002,23,11,2026,00,00", gga("000002"))).value == moment(2, days: 1))
    // The order of an epoch's sentences does not matter, nor does the zone of people.
    #expect(time(hear(gga("000003"), "GPZDA,000003,23,11,2026,-13,00")).value == moment(3, days: 1))
  }

  @Test mutating func `the newest of RMC and ZDA tells the date`() {
    _ = hear("GPZDA,120000,20,11,2026,00,00", gga("120000"))
    #expect(time(hear(rmc("120001", "221126"), gga("120001"))).value == moment(43_201))
    let later = hear("GPZDA,120002,23,11,2026,00,00", gga("120002"))
    #expect(time(later).value == moment(43_202, days: 1))
    // A void RMC is none of them.
    let void = hear(rmc("120003", "060180", "V"), gga("120003"))
    #expect(time(void).value == moment(43_203, days: 1))
  }

  @Test mutating func `what is no date leaves the one before`() {
    _ = hear(rmc("120000", "221126"))
    for date in ["", "000000", "310226", "2211", "2211261", "xx1126", "-11126"] {
      #expect(time(hear(rmc("120001", date))).value == moment(43_201), "\(date)")
    }
    for date in ["00,11,2026", "22,13,2026", "22,11,", ",,", "22,11,99999999999999999999"] {
      #expect(
        time(hear("GPZDA,120002,\(date),00,00", gga("120002"))).value == moment(43_202), "\(date)")
    }
  }

  @Test mutating func `a date more than 20 years from the version's is none`() throws {
    for date in ["060180", "220899", "010106", "211106", "241146", "311279"] {
      let told = time(hear(rmc("120000", date), gga("120000")))
      #expect(told.status == .noData, "\(date)")
      #expect(told.absence?.reason.contains("20 years") == true, "\(date)")
    }
    let told = time(hear("GPZDA,120001,01,01,1980,00,00", gga("120001")))
    #expect(told.status == .noData)
    for date in ["221126", "010119", "210626", "221136", "201146"] {
      #expect(time(hear(rmc("120002", date))).status == .ok, "\(date)")
    }
  }

  @Test mutating func `a week counter that began again is told by its distance`() {
    // 2007-04-08 is 1024 weeks before the version, 2007-10-28 before half a year after it.
    for date in ["080407", "281007", "080410"] {
      let told = time(hear(rmc("120000", date), gga("120000")))
      #expect(told.status == .noData, "\(date)")
      #expect(told.absence?.reason.contains("rollover") == true, "\(date)")
    }
    // All else of the fix is as good as ever.
    #expect(fix(reading) == "3d" && reading[GPS.Field.latitude].status == .ok)
  }

  @Test func `the version's day is a date, by which receivers are judged`() {
    #expect(ReceiverDate.built > 20_000)
    var date = ReceiverDate(built: ReceiverDate.built)
    date.take(ReceiverDate.built, at: 0)
    #expect(date.time(at: 0)?.status == .ok)
    date.take(ReceiverDate.built - 7168, at: 0)
    #expect(date.time(at: 0)?.status == .noData)
  }
}
