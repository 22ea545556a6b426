import GatheredKitTesting
import Gathering
import Glibc
import Machine
import Testing
import Values

@testable import SourceKinds

/// The datagrams of chronyd, of which the real one is asked in `RealChronyTests`.
@Suite struct ChronyTrackingTests {
  private func read(
    _ chrony: PlayedChrony, _ clock: String = "status 0\nstate 0\n", allow: Allowance = .all
  ) throws -> [String: Outcome] {
    let machine = try machine(of: ["/.gkit/adjtimex": clock]).with(chrony: chrony)
    return try KindHarness(SystemClock(), machine: machine, allow: allow).read("system")
  }

  private static let told = [
    "offset", "root_delay", "root_dispersion", "jitter", "stratum", "leap", "server",
    "poll_interval", "last_update",
  ]

  @Test func `13.9 the question is of protocol 6, asks for tracking, and is as long as its answer`()
    throws
  {
    let question = ChronyTracking.question(0x0102_0304)
    #expect(question.count == PlayedReport().datagram(answering: question).count)
    #expect(Array(question[..<12]) == [6, 1, 0, 0, 0, 33, 0, 0, 1, 2, 3, 4])
    #expect(question[12...].allSatisfy { $0 == 0 })
  }

  @Test func `13.9 every part of a report reaches its property`() throws {
    let found = try read(PlayedChrony())
    #expect(found.payload("offset") == .double(-3.0 / 1024))
    #expect(found.payload("jitter") == .double(5.0 / 8192))
    #expect(found.payload("root_delay") == .double(1.0 / 64))
    #expect(found.payload("root_dispersion") == .double(3.0 / 256))
    #expect(found.payload("poll_interval") == .double(1040))
    #expect(found.payload("stratum") == .int(3) && found.text("leap") == "none")
    #expect(found.text("server") == "192.0.2.7" && found.text("service") == "chrony")
    #expect(found.payload("last_update") == .time(1_700_000_000_250_000_000))
    #expect(found.payload("synchronized") == .bool(true))
  }

  @Test(
    arguments: [
      (0, 0), (0x0100_0001, -16_777_215 * 0x1p-25), (0xFFFF_FFFF, -0x1p-26),
      (0x7EFF_FFFF, 16_777_215 * 0x1p38), (0x8100_0000, -16_777_216 * 0x1p-89),
    ] as [(UInt32, Double)])
  func `a number has seven bits of exponent and 25 of coefficient`(bits: UInt32, value: Double)
    throws
  {
    var report = PlayedReport()
    report.floats[0] = bits
    #expect(try read(PlayedChrony(report)).payload("offset") == .double(value))
  }

  @Test(
    arguments: [
      (0, "none"), (1, "insert"), (2, "delete"), (3, "unsynchronized"),
    ] as [(UInt16, String)])
  func `leap has the word of its number`(number: UInt16, word: String) throws {
    var report = PlayedReport()
    report.leap = number
    #expect(try read(PlayedChrony(report)).text("leap") == word)
  }

  @Test func `a chronyd without a source tells nothing it has not measured`() throws {
    var report = PlayedReport()
    report.leap = 3
    (report.reference, report.family, report.stratum, report.time) = (0, 0, 0, [0, 0, 0])
    let found = try read(PlayedChrony(report))
    for key in Self.told where key != "leap" {
      #expect(found.reason(key) == "chronyd is not synchronized", "\(key)")
    }
    #expect(found.text("service") == "chrony")
  }

  @Test func `a server is an address, or the letters of a reference clock`() throws {
    var report = PlayedReport()
    (report.family, report.address) = (2, [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11))
    report.address.append(1)
    #expect(try read(PlayedChrony(report)).text("server") == "2001:db8::1")
    (report.family, report.address, report.reference) = (0, [], 0x5050_5300)
    #expect(try read(PlayedChrony(report)).text("server") == "PPS")
    report.reference = 0x7F7F_0101
    #expect(try read(PlayedChrony(report)).status("server") == .noData)
    #expect(try read(PlayedChrony(), allow: .none).status("server") == .permission)
  }

  @Test func `16 what is odd in a report costs its value alone`() throws {
    var report = PlayedReport()
    report.leap = 4
    report.time = [0x8000_0000, 0, 0]
    report.floats[6] = PlayedReport.float(-1, 0)
    let found = try read(PlayedChrony(report))
    for key in ["leap", "last_update", "root_delay"] { #expect(found.status(key) == .failed) }
    #expect(found.payload("stratum") == .int(3))
    report.time = [0, 1, 1_000_000_000]
    #expect(try read(PlayedChrony(report)).status("last_update") == .failed)
    // A system of 32 bits sends no upper half.
    report.time = [0x7FFF_FFFF, 5, 1]
    #expect(
      try read(PlayedChrony(report)).payload("last_update") == .time(5_000_000_001))
  }

  @Test func `16 datagrams of other questions, too short or long, and of another version`() throws {
    let good = PlayedReport()
    let foreign = PlayedChrony { request in
      var other = request
      other[8] ^= 1
      return [good.datagram(answering: other), [], [6, 2], good.datagram(answering: request)]
    }
    #expect(try read(foreign).text("service") == "chrony")
    let onlyForeign = PlayedChrony { request in
      var other = request
      other[11] ^= 1
      return [good.datagram(answering: other)]
    }
    #expect(try read(onlyForeign).text("service") == "kernel")
    let long = PlayedChrony { [good.datagram(answering: $0) + [1, 2, 3]] }
    #expect(try read(long).payload("stratum") == .int(3))
    for count in [28, 60, 103] {
      let short = PlayedChrony { [Array(good.datagram(answering: $0)[..<count])] }
      #expect(try read(short).reason("stratum") == "chronyd's answer is no report")
    }
    var older = good
    older.version = 5
    let found = try read(PlayedChrony(older))
    #expect(found.status("stratum") == .failed)
    #expect(found.reason("stratum") == "chronyd speaks version 5")
    #expect(found.text("service") == "kernel" && found.text("leap") == "none")
    var other = good
    other.format = 4
    #expect(try read(PlayedChrony(other)).status("stratum") == .failed)
  }

  @Test func `13.9 a chronyd that refuses, is silent or not there says what to do`() throws {
    var refusing = PlayedReport()
    refusing.status = 2
    let refused = try read(PlayedChrony(refusing))
    #expect(refused.status("root_delay") == .permission)
    #expect(refused["root_delay"]?.absence?.remedy.isEmpty == false)
    refusing.status = 7
    #expect(try read(PlayedChrony(refusing)).status("root_delay") == .failed)
    let silent = try read(PlayedChrony { _ in [] })
    #expect(silent.status("root_delay") == .noData)
    #expect(silent["root_delay"]?.absence?.remedy.hasPrefix("let chronyd answer") == true)
    // A clock that something else sets misses no chronyd.
    let absent = try read(PlayedChrony(failing: ECONNREFUSED))
    #expect(absent.reason("root_delay") == "chronyd does not answer on 127.0.0.1:323")
    #expect(absent["root_delay"]?.absence?.remedy == "")
    let unset = try read(PlayedChrony(failing: ECONNREFUSED), "status 64\nstate 5\n")
    #expect(
      unset["offset"]?.absence?.remedy == "systemctl start chrony.service # from package chrony")
  }
}
