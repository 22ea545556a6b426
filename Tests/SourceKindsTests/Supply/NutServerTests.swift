import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// The kind `ups` on Debian's own upsd with dummy drivers.
@Suite(.serialized, .enabled(if: NutServer.isInstalled, "nut-server is not installed"))
struct NutServerTests {
  private static let rack = (
    name: "rack", file: "rack.dev",
    text: """
    ups.status: OL CHRG
    battery.charge: 042.7
    battery.runtime: 1200
    ups.load: 12
    ups.realpower.nominal: 900
    input.voltage: 230,5
    device.serial: 00012

    """
  )

  private func open(_ server: NutServer) throws -> Context {
    try Context.open(
      "local:nut=127.0.0.1:\(server.port)", allow: .all, catalogue: [UPS()])
  }

  private func await(_ source: Source, _ isSo: ([String: Sample]) -> Bool) -> [String: Sample] {
    var values: [String: Sample] = [:]
    Patience.wait {
      let keys = source.properties.map(\.key)
      values = Dictionary(uniqueKeysWithValues: zip(keys, source.allValues))
      return isSo(values)
    }
    return values
  }

  @Test func `values of a device of a file`() throws {
    let server = try NutServer([Self.rack])
    let context = try open(server)
    // upsd listens before it has heard of its drivers.
    Patience.wait { (try? context.open("ups").updateValues()[0].value) == .string("online") }
    #expect(try context.sources(of: "ups").map(\.id.description) == ["ups|rack"])
    let source = try context.open("ups|rack")
    let keys = source.properties.map(\.key)
    let values = Dictionary(uniqueKeysWithValues: zip(keys, try source.updateValues()))
    #expect(values["state"]?.value == .string("online"))
    #expect(values["charging"]?.value == .bool(true))
    #expect(values["level"]?.value == .double(42.7 / 100))
    #expect(values["runtime"]?.value == .double(1200))
    #expect(values["real_power"]?.value == .double(108))
    #expect(values["input_voltage"]?.status == .failed)
    #expect(values["serial"]?.value == .string("00012"))
    #expect(values["driver"]?.value == .string("dummy-ups"))
    #expect(values["model"]?.value == .string("Dummy UPS"))
    #expect(values["description"]?.status == .noData)
    try context.close()
  }

  @Test func `a power failure, as it goes on until the battery is low`() throws {
    let server = try NutServer([
      (
        name: "desk", file: "desk.seq",
        text: """
        ups.status: OL
        battery.charge: 100
        TIMER 3
        ups.status: OB DISCHRG
        battery.charge: 40
        TIMER 3
        ups.status: OB DISCHRG LB
        battery.charge: 9
        TIMER 3

        """
      )
    ])
    let context = try open(server)
    let source = try context.open("ups|desk")
    let seen = Monitor<[String]>([])
    let token = source.addUpdateListener { update in
      guard let state = update.samples[0].payload?.text, let low = update.samples[1].payload
      else { return }
      let words = "\(state)\(low == .bool(true) ? ", low" : "")"
      seen.withLock { if $0.last != words { $0.append(words) } }
      seen.signalAll()
    }
    Patience.wait { (try? source.startUpdating(every: 1_000_000_000)) != nil }
    let wanted = ["online", "on_battery", "on_battery, low", "online"]
    let isWhole = seen.wait(until: Patience.end) { seen -> Bool? in
      // It may begin anywhere.
      let known = seen.filter { $0 != "unknown" }
      return known.indices.contains { known[$0...].starts(with: wanted) } ? true : nil
    }
    #expect(isWhole == true)
    token.end()
    try context.close()
  }

  @Test func `a driver that is killed, then started again`() throws {
    let server = try NutServer([Self.rack])
    let context = try open(server)
    let source = try context.open("ups|rack")
    Patience.wait { (try? source.startUpdating(every: 1_000_000_000)) != nil }
    _ = self.await(source) { $0["level"]?.status == .ok }
    server.stopDriver("rack")
    let values = self.await(source) { $0["level"]?.status == .noData }
    #expect(values["level"]?.absence?.reason == "the driver of rack does not run")
    #expect(source.availability.state == .disconnected)
    #expect(source.isUpdating)
    try server.startDriver("rack")
    _ = self.await(source) { $0["level"]?.status == .ok }
    #expect(source.availability.state == .available)
    try context.close()
  }

  @Test func `an upsd that is killed, then started again`() throws {
    let server = try NutServer([Self.rack])
    let context = try open(server)
    let source = try context.open("ups|rack")
    Patience.wait { (try? source.startUpdating(every: 1_000_000_000)) != nil }
    _ = self.await(source) { $0["level"]?.status == .ok }
    server.stop()
    _ = self.await(source) { $0["level"]?.status == .noData }
    Patience.wait { source.availability.state == .serviceNotRunning }
    #expect(source.availability.remedy == "start upsd on 127.0.0.1:\(server.port)")
    #expect(try context.sources(of: "ups").isEmpty)
    #expect(source.isUpdating)
    try server.start()
    _ = self.await(source) { $0["level"]?.status == .ok }
    #expect(source.availability.state == .available)
    try context.close()
  }

  @Test func `a driver that hangs leaves its values stale`() throws {
    let server = try NutServer([Self.rack])
    let context = try open(server)
    let source = try context.open("ups|rack")
    Patience.wait { (try? source.startUpdating(every: 1_000_000_000)) != nil }
    _ = self.await(source) { $0["level"]?.status == .ok }
    server.pauseDriver("rack")
    let values = self.await(source) { $0["level"]?.status == .stale }
    #expect(values["level"]?.value == .double(42.7 / 100))
    #expect(source.isUpdating)
    server.resumeDriver("rack")
    _ = self.await(source) { $0["level"]?.status == .ok }
    try context.close()
  }
}
