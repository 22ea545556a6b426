import Gathering
import GatheredKitTesting
import Machine
import SourceKinds
import Testing

/// What stands in for a barometer and a magnetometer where only daemons on the bus know a position.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedPositionFallbackTests {
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
      "local:root=\(folder.path)&bus=\(address)", allow: allow,
      catalogue: [Altimeter(), Compass()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  @Test func `4.3 4.7 who starts has a client of GeoClue's started, and takes it back`() throws {
    for (kind, key, value) in [("altimeter", "altitude", 545.4), ("compass", "true_heading", 0)] {
      let daemon = try MockedGeoClue(on: bus)
      let context = try open()
      let source = try context.open(kind)
      #expect(source.id.description == "\(kind)|gps")
      #expect(source.availability.state == .searching)
      // Who only looks sets up nothing (P5).
      try source.updateValuesInPlace()
      #expect(sample(source, key).status == .noData)
      #expect(try daemon.calls(MockedGeoClue.managerPath, "GetClient") == 0)
      try source.startUpdating(every: 100_000_000)
      try daemon.locate(1, MockedGeoClue.location())
      #expect(Patience.wait { sample(source, key).payload == .double(value) }, "\(kind)")
      #expect(try daemon.calls(MockedGeoClue.managerPath, "GetClient") == 1)
      #expect(Patience.wait { source.availability.state == .available })
      try source.stopUpdating()
      #expect(
        Patience.wait { (try? daemon.calls(MockedGeoClue.managerPath, "DeleteClient")) == 1 })
      #expect(try daemon.calls(MockedGeoClue.clientPath, "Stop") == 1)
      try context.close()
      daemon.process.end()
      #expect(Patience.wait { bus.owner(of: MockedGeoClue.name) == nil })
    }
    #expect(!bus.hasActivated)
  }

  @Test func `P1 P3 without leave nothing is set up, and leave taken back ends it`() throws {
    let daemon = try MockedGeoClue(on: bus)
    let context = try open(.none)
    let source = try context.open("altimeter")
    try source.startUpdating(every: 100_000_000)
    try source.updateValuesInPlace()
    #expect(sample(source, "altitude").status == .noData)
    #expect(sample(source, "altitude").absence?.remedy == PrivacyCategory.location.remedy)
    #expect(try daemon.calls(MockedGeoClue.managerPath, "GetClient") == 0)
    try context.setAllow(Allowance(categories: [.location]))
    try daemon.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, "altitude").payload == .double(545.4) })
    try context.setAllow(.none)
    #expect(
      Patience.wait { (try? daemon.calls(MockedGeoClue.managerPath, "DeleteClient")) == 1 })
    #expect(Patience.wait { sample(source, "altitude").status == .noData })
    #expect(source.isUpdating)
    try context.close()
  }

  @Test func `H4 L10 the daemon may come later, be killed and come back`() throws {
    let context = try open()
    let source = try context.open("altimeter")
    #expect(source.availability.group == .unavailable)
    let watch = try context.watch("altimeter") { _ in }
    let first = try MockedGeoClue(on: bus)
    #expect(Patience.wait { source.availability.state == .searching })
    try source.startUpdating(every: 100_000_000)
    try first.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, "altitude").payload == .double(545.4) })
    first.process.end()
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(Patience.wait { sample(source, "altitude").status == .noData })
    #expect(source.isUpdating)
    let second = try MockedGeoClue(on: bus)
    // It has to be asked for a client before it can have a location.
    #expect(Patience.wait { (try? second.calls(MockedGeoClue.clientPath, "Start")) == 1 })
    try second.locate(2, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, "altitude").payload == .double(545.4) })
    watch.end()
    try context.close()
  }

  @Test func `a modem that tells only who asks is asked as long as the source updates`() throws {
    let daemon = try MockedModemReceiver(
      on: bus,
      answer: MockedModemReceiver.raw(
        "{'utc-time': '120001.00', 'latitude': 48.5, 'longitude': 11.25, 'altitude': 300.0}"))
    let context = try open()
    let source = try context.open("altimeter")
    try source.startUpdating(every: 100_000_000)
    #expect(Patience.wait { sample(source, "altitude").payload == .double(300) })
    try daemon.set(
      answer: MockedModemReceiver.raw(
        "{'utc-time': '120002.00', 'latitude': 48.5, 'longitude': 11.25, 'altitude': 301.0}"))
    #expect(Patience.wait { sample(source, "altitude").payload == .double(301) })
    #expect(try daemon.calls("Setup") == 0)
    try context.close()
  }
}
