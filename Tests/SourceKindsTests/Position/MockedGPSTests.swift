import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// The kind `gps` in a context on a real bus, with daemons of dbusmock's made by hand.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedGPSTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus(activatable: [MockedGeoClue.name])
  }

  private func open(_ allow: Allowance = .all) throws -> Context {
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: allow, catalogue: [GPS()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  // MARK: GeoClue

  @Test func `A2 GeoClue is not started to find out, and its absence is named`() throws {
    let context = try open()
    #expect(try context.sources(of: "gps").isEmpty)
    let source = try context.open("gps")
    #expect(source.availability.state == .serviceNotRunning)
    #expect(source.availability.detail.contains("geoclue: "))
    #expect(source.availability.detail.contains("modem: "))
    #expect(!bus.hasActivated)
    try context.close()
  }

  @Test func `4.1 a client of GeoClue is started with a source, and every value is its own`() throws
  {
    let daemon = try MockedGeoClue(on: bus)
    let context = try open()
    #expect(
      try context.sources(of: "gps").map(\.id.description) == ["gps|aggregate", "gps|geoclue"])
    _ = try context.report()
    #expect(try daemon.calls(MockedGeoClue.managerPath, "GetClient") == 0)
    let source = try context.open("gps")
    #expect(source.availability.state == .available)
    try source.startUpdating(every: 200_000_000)
    #expect(try daemon.calls(MockedGeoClue.clientPath, "Start") == 1)
    #expect(try daemon.property("DesktopId") == .string("gatheredkit"))
    #expect(try daemon.property("RequestedAccuracyLevel") == .uint32(8))
    #expect(Patience.wait { source.availability.state == .searching })
    try daemon.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, "latitude").payload == .double(48.1173) })
    let wanted: [(String, Value)] = [
      ("longitude", .double(11.5)), ("horizontal_accuracy", .double(25)),
      ("altitude_msl", .double(545.4)), ("speed", .double(5.5)), ("course", .double(0)),
      ("fix", .string("3d")), ("provider", .string("geoclue")), ("device", .string("geoclue")),
      ("time", .time(1_782_043_202_500_000_000)),
    ]
    for (key, value) in wanted { #expect(sample(source, key).value == value, "\(key)") }
    for key in ["climb", "hdop", "satellites_used", "altitude_ellipsoid", "fix_quality"] {
      #expect(sample(source, key).status == .unsupported, "\(key)")
    }
    let raw = source.rawValue(
      ofPropertyAt: source.properties.firstIndex { $0.key == "course" } ?? 0)
    #expect(raw == RawValue("360.0".utf8, place: "org.freedesktop.GeoClue2.Location.Heading"))
    #expect(Patience.wait { source.availability.state == .available })
    try daemon.locate(2, MockedGeoClue.location(latitude: -33.5))
    #expect(Patience.wait { sample(source, "latitude").payload == .double(-33.5) })
    // A daemon that changes the property without a word is asked at every reading.
    try daemon.locate(3, MockedGeoClue.location(latitude: 7), by: .quiet)
    #expect(Patience.wait { sample(source, "latitude").payload == .double(7) })
    try source.stopUpdating()
    #expect(Patience.wait { (try? daemon.calls(MockedGeoClue.clientPath, "Stop")) == 1 })
    #expect(
      Patience.wait { (try? daemon.calls(MockedGeoClue.managerPath, "DeleteClient")) == 1 })
    try context.close()
  }

  @Test func `L4 a location that only the client's signal tells of is read at once`() throws {
    let daemon = try MockedGeoClue(on: bus)
    let fixture = try FixtureMachine(nature: .live, bus: SystemBus(address: bus.address))
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, allow: .all, catalogue: [GPS()])
    // No tick comes in time for anything below.
    let pass = { (isSo: () -> Bool) in
      Patience.wait {
        try? context.seek(to: fixture.loop.clock.now.boot + 100_000_000)
        return isSo()
      }
    }
    let source = try context.open("gps")
    try source.startUpdating(every: 3_600_000_000_000)
    #expect(pass { source.availability.state == .searching })
    try daemon.locate(1, MockedGeoClue.location(), by: .signal)
    #expect(pass { sample(source, "latitude").payload == .double(48.1173) })
    try daemon.locate(2, MockedGeoClue.location(latitude: -33.5), by: .signal)
    #expect(pass { sample(source, "latitude").payload == .double(-33.5) })
    #expect(try daemon.property("Location") == .path("/"))
    #expect(fixture.loop.clock.now.boot < 3_600_000_000_000)
    try context.close()
  }

  @Test func `sentinels, wrong types and missing keys cost their own value only (V5, V6)`() throws {
    let daemon = try MockedGeoClue(on: bus, giving: "CreateClient")
    let context = try open()
    let source = try context.open("gps|geoclue")
    try source.startUpdating(every: 200_000_000)
    try daemon.locate(
      1,
      [
        ("Latitude", .double(48)), ("Longitude", .double(11)), ("Accuracy", .string("near")),
        ("Altitude", .double(-Double.greatestFiniteMagnitude)), ("Speed", .double(-1)),
        ("Heading", .double(-1)), ("Timestamp", .structure([.uint64(.max), .uint64(0)])),
      ])
    #expect(Patience.wait { sample(source, "latitude").payload == .double(48) })
    #expect(sample(source, "fix").payload == .string("2d"))
    for key in ["altitude_msl", "speed", "course"] {
      #expect(sample(source, key).status == .noData, "\(key)")
    }
    #expect(sample(source, "horizontal_accuracy").status == .failed)
    #expect(sample(source, "time").status == .failed)
    try daemon.locate(2, [("Latitude", .double(95)), ("Longitude", .double(12))])
    #expect(Patience.wait { sample(source, "longitude").payload == .double(12) })
    #expect(sample(source, "latitude").status == .failed)
    #expect(sample(source, "horizontal_accuracy").status == .noData)
    try daemon.locate(3, [("Latitude", .double(.nan)), ("Longitude", .double(13))])
    #expect(Patience.wait { sample(source, "longitude").payload == .double(13) })
    #expect(sample(source, "latitude").status == .noData)
    try context.close()
  }

  @Test func `P2 without leave no service is asked for a client`() throws {
    let daemon = try MockedGeoClue(on: bus)
    let context = try open(.none)
    let source = try context.open("gps")
    #expect(source.availability.state == .requiresPermission)
    try source.startUpdating()
    _ = try source.updateValues()
    #expect(try daemon.calls(MockedGeoClue.managerPath, "GetClient") == 0)
    try context.setAllow(Allowance(categories: [.location]))
    #expect(source.isUpdating)
    #expect(try daemon.calls(MockedGeoClue.clientPath, "Start") == 1)
    try context.setAllow(.none)
    #expect(Patience.wait { (try? daemon.calls(MockedGeoClue.clientPath, "Stop")) == 1 })
    try context.close()
  }

  @Test func `AccessDenied, or no agent, is restricted by policy, with what to do`() throws {
    let daemon = try MockedGeoClue(on: bus, start: MockedGeoClue.refusal)
    let context = try open()
    let source = try context.open("gps")
    var found: Availability?
    do throws(SourceError) {
      try source.startUpdating()
    } catch {
      if case .unavailable(let availability) = error { found = availability }
    }
    #expect(found?.state == .restrictedByPolicy)
    #expect(found?.detail == "no agent")
    #expect(found?.remedy.contains("geoclue.conf") == true)
    try context.rescan()
    // A4: the result of the last attempt counts.
    #expect(source.availability.state == .restrictedByPolicy)
    #expect(!source.isUpdating)
    withExtendedLifetime(daemon) {}
    try context.close()
  }

  @Test func `A4 a GeoClue that was started anew is asked anew, though it refused a moment ago`()
    throws
  {
    let refusing = try MockedGeoClue(on: bus, start: MockedGeoClue.refusal)
    let context = try open()
    let source = try context.open("gps")
    let watch = try context.watch("gps") { _ in }
    #expect(throws: SourceError.self) { try source.startUpdating(every: 1_000_000_000) }
    try context.rescan()
    #expect(source.availability.state == .restrictedByPolicy)
    refusing.process.end()
    let allowing = try MockedGeoClue(on: bus)
    #expect(Patience.wait { source.availability.group == .available })
    try source.startUpdating(every: 1_000_000_000)
    try allowing.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, "latitude").payload == .double(48.1173) })
    watch.end()
    try context.close()
  }

  @Test func `without an agent GeoClue does not answer: policy, too`() throws {
    let daemon = try MockedGeoClue(on: bus, client: "import time; time.sleep(60)")
    let context = try open()
    let source = try context.open("gps")
    try source.startUpdating(every: 1_000_000_000)
    #expect(Patience.wait { source.availability.state == .restrictedByPolicy })
    #expect(source.availability.remedy.contains("run a GeoClue agent"))
    withExtendedLifetime(daemon) {}
    try context.close()
  }

  @Test func `L10 GeoClue killed while updating is waited for, and started again`() throws {
    let first = try MockedGeoClue(on: bus)
    let context = try open()
    let source = try context.open("gps")
    let words = Words(source)
    try source.startUpdating(every: 200_000_000)
    try first.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, "latitude").status == .ok })
    first.process.end()
    #expect(Patience.wait { source.availability.state == .serviceNotRunning })
    #expect(Patience.wait { sample(source, "latitude").status == .noData })
    #expect(sample(source, "latitude").absence?.reason.isEmpty == false)
    #expect(source.isUpdating)
    let second = try MockedGeoClue(on: bus)
    #expect(
      Patience.wait { ((try? second.calls(MockedGeoClue.clientPath, "Start")) ?? 0) >= 1 })
    try second.locate(1, MockedGeoClue.location(latitude: 10))
    #expect(Patience.wait { sample(source, "latitude").payload == .double(10) })
    let told = words.take()
    #expect(told.filter { $0 == "started" }.count == 1 && !told.contains("stopped"))
    try context.close()
  }

  @Test func `A3 GeoClue comes before a modem, and who listens goes over when it appears`() throws {
    let modem = try MockedModemReceiver(
      on: bus, answer: MockedModemReceiver.raw("{'latitude': 1.0, 'longitude': 2.0}"))
    let context = try open()
    let source = try context.open("gps")
    let words = Words(source)
    try source.startUpdating(every: 200_000_000)
    #expect(Patience.wait { sample(source, "provider").payload == .string("modem") })
    let geoclue = try MockedGeoClue(on: bus)
    #expect(Patience.wait { sample(source, "provider").payload == .string("geoclue") })
    geoclue.process.end()
    #expect(Patience.wait { sample(source, "provider").payload == .string("modem") })
    #expect(Patience.wait { sample(source, "latitude").payload == .double(1) })
    #expect(source.isUpdating && !words.take().contains("stopped"))
    modem.process.end()
    #expect(Patience.wait { source.availability.state == .serviceNotRunning })
    try context.close()
  }
}
