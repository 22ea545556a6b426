import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// `time` in a context on a real bus, with a timesyncd of dbusmock's made by hand.
@Suite(.enabled(if: PrivateBus.isInstalled, "dbus or python3-dbusmock is not installed"))
struct MockedTimeDaemonTests {
  private let bus: PrivateBus
  private let folder: TemporaryFolder

  init() throws {
    bus = try PrivateBus(activatable: [TimeDaemon.name])
    folder = try TemporaryFolder()
    try folder.write(Array("state 0\nstatus 8193\noffset 4000\n".utf8), to: "/.gkit/adjtimex")
  }

  /// An answer of a server, whose four times are given in microseconds.
  private static func message(
    _ times: [UInt64] = Self.times, leap: UInt32 = 0, isIgnored: Bool = false, count: UInt64 = 3
  ) -> BusValue {
    let head: [BusValue] = [
      .uint32(leap), .uint32(4), .uint32(4), .uint32(2), .int32(-25), .uint64(15_200),
      .uint64(430), .bytes([192, 0, 2, 1]),
    ]
    let tail: [BusValue] = [.bool(isIgnored), .uint64(count), .uint64(2_750)]
    return .structure(head + times.map { BusValue.uint64($0) } + tail)
  }

  private static let times: [UInt64] = [
    1_700_000_000_000_000, 1_700_000_000_012_000, 1_700_000_000_012_100, 1_700_000_000_020_100,
  ]

  private func values(
    _ properties: [String: BusValue], allow: Allowance = .all
  ) throws -> [String: Sample] {
    let daemon = try bus.mock(TimeDaemon.name, TimeDaemon.path, TimeDaemon.manager)
    try bus.tell(
      TimeDaemon.name, TimeDaemon.path, "AddProperties", .string(TimeDaemon.manager),
      .dictionary(of: "sv", properties.map { BusPair(.string($0.key), .variant($0.value)) }))
    defer { daemon.end() }
    return try values(allow: allow)
  }

  private func values(allow: Allowance = .all) throws -> [String: Sample] {
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    let context = try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: allow, catalogue: [SystemClock()])
    defer { try? context.close() }
    let source = try context.open("time")
    let samples = try source.updateValues()
    var found: [String: Sample] = [:]
    for (property, sample) in zip(source.properties, samples) { found[property.key] = sample }
    return found
  }

  private static let usual: [String: BusValue] = [
    "NTPMessage": message(), "ServerName": .string("time.example.org"),
    "PollIntervalUSec": .uint64(64_000_000),
  ]

  @Test func `13.9 every part of the daemon's report reaches its property`() throws {
    let found = try values(Self.usual)
    #expect(found["service"]?.payload == .string("timesyncd"))
    // ((12 000 − 0) + (12 100 − 20 100)) ÷ 2 µs
    #expect(found["offset"]?.payload == .double(0.002))
    #expect(found["root_delay"]?.payload == .double(0.0152))
    #expect(found["root_dispersion"]?.payload == .double(0.00043))
    #expect(found["jitter"]?.payload == .double(0.00275))
    #expect(found["stratum"]?.payload == .int(2) && found["leap"]?.payload == .string("none"))
    #expect(found["server"]?.payload == .string("time.example.org"))
    #expect(found["poll_interval"]?.payload == .double(64))
    #expect(found["last_update"]?.payload == .time(1_700_000_000_020_100_000))
    #expect(found["synchronized"]?.payload == .bool(true))
  }

  @Test func `13.9 before an answer, and of one that is ignored, nothing is told`() throws {
    for message in [Self.message(count: 0), Self.message(isIgnored: true)] {
      let found = try values(Self.usual.merging(["NTPMessage": message]) { $1 })
      for key in ["offset", "root_delay", "stratum", "leap", "last_update"] {
        #expect(found[key]?.absence?.reason == "timesyncd has no answer of a server", "\(key)")
      }
      #expect(found["service"]?.payload == .string("timesyncd"))
      #expect(found["poll_interval"]?.payload == .double(64))
    }
  }

  @Test func `16 values of wrong types cost their own properties`() throws {
    let short = BusValue.structure([.uint32(0), .uint32(4)])
    let found = try values(["NTPMessage": short, "PollIntervalUSec": .string("often")])
    for key in ["offset", "jitter", "poll_interval"] { #expect(found[key]?.status == .failed) }
    #expect(found["server"]?.status == .noData)
    let odd = try values(
      Self.usual.merging(["NTPMessage": Self.message([0, 1, 1, UInt64.max], leap: .max)]) { $1 })
    for key in ["offset", "leap", "last_update"] { #expect(odd[key]?.status == .failed, "\(key)") }
    #expect(odd["stratum"]?.payload == .int(2))
  }

  @Test func `a server without a name has its address`() throws {
    let address = BusValue.structure([.int32(2), .bytes([192, 0, 2, 9])])
    let known = Self.usual.merging(["ServerName": .string(""), "ServerAddress": address]) { $1 }
    #expect(try values(known)["server"]?.payload == .string("192.0.2.9"))
    #expect(try values(known, allow: .none)["server"]?.status == .permission)
  }

  @Test func `13.9 it is not started, and the kernel speaks where it does not run`() throws {
    let found = try values()
    #expect(found["service"]?.payload == .string("kernel"))
    #expect(found["offset"]?.payload == .double(4e-6))
    #expect(found["stratum"]?.absence?.reason == "no daemon tells it")
    #expect(!bus.hasActivated)
  }

  @Test func `chronyd's report counts before that of timesyncd`() throws {
    let daemon = try bus.mock(TimeDaemon.name, TimeDaemon.path, TimeDaemon.manager)
    try bus.tell(
      TimeDaemon.name, TimeDaemon.path, "AddProperties", .string(TimeDaemon.manager),
      .dictionary(of: "sv", Self.usual.map { BusPair(.string($0.key), .variant($0.value)) }))
    let machine = try FixtureMachine(bus: bus.bus).machine
    let both = KindHarness(SystemClock(), machine: machine.with(chrony: PlayedChrony()))
    #expect(try both.read("system").text("service") == "chrony")
    let one = KindHarness(SystemClock(), machine: machine.with(chrony: PlayedChrony { _ in [] }))
    #expect(try one.read("system").text("service") == "timesyncd")
    daemon.pause()
    let paused = try one.read("system")
    #expect(paused.text("service") == "timesyncd" && paused.status("stratum") == .failed)
    daemon.resume()
    // An answer that comes too late is none for the reading after it.
    #expect(Patience.wait { (try? one.read("system").payload("stratum")) == .int(2) })
  }
}
