import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// When a GeoClue is asked again that refused, failed or was started anew while a source updates.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct GeoClueRetryTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus
  private let context: Context
  private let source: Source

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus()
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    context = try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: .all, catalogue: [GPS()])
    source = try context.open("gps")
  }

  private var latitude: Sample {
    source.allValues[source.properties.firstIndex { $0.key == "latitude" } ?? 0]
  }

  private func starts(of daemon: MockedGeoClue) -> Int {
    (try? daemon.calls(MockedGeoClue.clientPath, "Start")) ?? 0
  }

  /// Lets the source update, and its daemon end.
  private func start() throws {
    let first = try MockedGeoClue(on: bus)
    try source.startUpdating(every: 200_000_000)
    try first.locate(1, MockedGeoClue.location())
    #expect(Patience.wait { latitude.payload == .double(48.1173) })
    first.process.end()
    #expect(Patience.wait { source.availability.state == .serviceNotRunning })
  }

  @Test func `H4 one that was started anew and fails at first is asked again by itself`() throws {
    try start()
    let daemon = try MockedGeoClue(on: bus, start: MockedGeoClue.failure)
    #expect(Patience.wait { starts(of: daemon) >= 2 })
    try daemon.locate(1, MockedGeoClue.location(latitude: 10))
    #expect(Patience.wait { latitude.payload == .double(10) })
    #expect(Patience.wait { source.availability.group == .available })
    #expect(source.isUpdating)
    try context.close()
  }

  @Test func `A4 one that refuses while a source updates stops it, and is asked again by a start`()
    throws
  {
    try start()
    let daemon = try MockedGeoClue(on: bus, start: MockedGeoClue.refusal)
    #expect(Patience.wait { source.availability.state == .restrictedByPolicy })
    // What policy forbids is stopped.
    #expect(Patience.wait { !source.isUpdating })
    let refused = starts(of: daemon)
    // The remedy was followed, and nothing tells of that.
    try daemon.set(start: "")
    try source.startUpdating(every: 200_000_000)
    #expect(Patience.wait { starts(of: daemon) > refused })
    try daemon.locate(1, MockedGeoClue.location(latitude: 10))
    #expect(Patience.wait { latitude.payload == .double(10) })
    #expect(Patience.wait { source.availability.group == .available })
    try context.close()
  }

  @Test func `L10 what is stopped while GeoClue is waited for asks nothing of the next`() throws {
    try start()
    try source.stopUpdating()
    let watch = try context.watch("gps") { _ in }
    let daemon = try MockedGeoClue(on: bus)
    #expect(Patience.wait { source.availability.group == .available })
    #expect(starts(of: daemon) == 0)
    try source.startUpdating(every: 200_000_000)
    #expect(Patience.wait { starts(of: daemon) == 1 })
    watch.end()
    try context.close()
  }
}
