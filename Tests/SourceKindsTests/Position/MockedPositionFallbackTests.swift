import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// What stands in for a barometer and a magnetometer where only daemons on the bus know a position.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedPositionFallbackTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus(activatable: [MockedGeoClue.name])
  }

  private func open() throws -> Context {
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: .all,
      catalogue: [GPS(), Altimeter(), Compass()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  @Test(arguments: [("altimeter", "altitude", 545.4), ("compass", "true_heading", 0)])
  func `4.3 4.7 an updating gps source over GeoClue is enough, and nothing less`(
    kind: String, key: String, value: Double
  ) throws {
    let daemon = try MockedGeoClue(on: bus)
    let context = try open()
    let source = try context.open(kind)
    #expect(source.id.description == "\(kind)|gps")
    try source.startUpdating(every: 100_000_000)
    try source.updateValuesInPlace()
    #expect(sample(source, key).status == .noData)
    #expect(source.availability.state == .searching)
    #expect(try daemon.calls(MockedGeoClue.managerPath, "GetClient") == 0)
    let gps = try context.open("gps")
    try gps.startUpdating(every: 100_000_000)
    try daemon.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { sample(source, key).payload == .double(value) })
    #expect(Patience.wait { source.availability.state == .available })
    try gps.stopUpdating()
    #expect(Patience.wait { (try? daemon.calls(MockedGeoClue.managerPath, "DeleteClient")) == 1 })
    #expect(Patience.wait { sample(source, key).status == .noData })
    try context.close()
  }

  @Test(arguments: ["altimeter", "compass"])
  func `H4 the daemon may come later, be killed and come back`(kind: String) throws {
    let context = try open()
    let source = try context.open(kind)
    #expect(source.availability.group == .unavailable)
    let watch = try context.watch(kind) { _ in }
    let first = try MockedGeoClue(on: bus)
    #expect(Patience.wait { source.availability.state == .searching })
    first.process.end()
    #expect(Patience.wait { source.availability.group == .unavailable })
    let second = try MockedGeoClue(on: bus)
    #expect(Patience.wait { source.availability.state == .searching })
    watch.end()
    try context.close()
    second.process.end()
  }
}
