import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

private let name = "net.hadess.SensorProxy"
private let path = "/net/hadess/SensorProxy"
private let compass = "net.hadess.SensorProxy.Compass"
private let chip = "/sys/bus/iio/devices/iio:device0"
private let refused = ["x", "y", "z"].map { "\(chip)/in_accel_\($0)_raw" }

/// iio-sensor-proxy as dbusmock plays it, on a bus of the test's own.
@Suite(.enabled(if: PrivateBus.isInstalled, "dbus or python3-dbusmock is not installed"))
struct SensorProxyTests {
  /// A bus, and a machine with one accelerometer, or with no sensor at all.
  private final class Desk {
    let bus: PrivateBus
    let fixture: FixtureMachine
    let context: Context
    private var proxy: ChildProcess?

    init(_ kind: any SourceKind, hasChip: Bool, rules: String = "") throws {
      bus = try PrivateBus(rules: rules)
      var contents = ["/proc/meminfo": "MemTotal: 10 kB\n"]
      if hasChip {
        contents["\(chip)/name"] = "bmc150_accel\n"
        for path in refused { contents[path] = "100\n" }
      }
      fixture = try FixtureMachine(contents, bus: SystemBus(address: bus.address))
      context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [kind])
    }

    /// Starts the daemon, anew if it runs.
    func start(_ properties: [(String, BusValue)]) throws {
      proxy?.end()
      proxy = try bus.mock("iio-sensors-proxy", owning: name)
      for (property, value) in properties { try set(property, value) }
      try context.rescan()
    }

    func end() { proxy?.end() }
    func pause() { proxy?.pause() }
    func resume() { proxy?.resume() }

    func set(_ property: String, _ value: BusValue) throws {
      let interface = property.contains("Compass") ? compass : name
      try bus.tell(
        name, path, "SetInternalProperty", .string(interface), .string(property),
        .variant(value))
    }

    /// How many have claimed a sensor.
    func claims(_ sensor: String) -> Int {
      let answer = try? bus.tell(
        name, path, "GetInternalProperty", .string("\(sensor)Owners"))
      return answer?.first?.elements?.count ?? 0
    }

    /// Lets a second pass, and what is due by then be delivered, until something is so.
    func pass(until isSo: () -> Bool) -> Bool {
      Patience.wait {
        try? context.seek(to: fixture.loop.clock.now.boot + 1_000_000_000)
        while (try? context.dispatch(timeout: 0)) ?? 0 > 0 {}
        return isSo()
      }
    }

    func refuse(_ isRefused: Bool) {
      for path in refused {
        if isRefused { fixture.fail(path, with: 16) } else { fixture.mend(path) }
      }
    }
  }

  private func value(_ source: Source, _ key: String) -> Sample {
    let index = source.properties.firstIndex { $0.key == key } ?? 0
    return source.allValues[index]
  }

  private let leftUp: [(String, BusValue)] = [
    ("HasAccelerometer", .bool(true)), ("AccelerometerOrientation", .string("left-up")),
  ]

  @Test func `4.10 a chip that the daemon holds still tells which way up it is`() throws {
    let desk = try Desk(Accelerometer(), hasChip: true)
    try desk.start(leftUp)
    let source = try desk.context.open("accelerometer")
    #expect(source.availability == Availability(.available, backend: "iio"))
    desk.refuse(true)
    try source.startUpdating(every: 1_000_000_000)
    #expect(desk.pass { source.availability.detail == "orientation only" })
    #expect(source.availability.state == .available)
    #expect(source.availability.remedy == "systemctl stop iio-sensor-proxy.service")
    #expect(value(source, "orientation").payload == .string("left-up"))
    #expect(value(source, "acquisition").payload == .string("service"))
    #expect(value(source, "acceleration").status == .failed)
    #expect(value(source, "acceleration").absence?.errno == 16)
    #expect(desk.claims("Accelerometer") == 1)
    let raw = source.rawValue(ofPropertyAt: 3)
    #expect(raw?.place == "net.hadess.SensorProxy.AccelerometerOrientation")
    try desk.set("AccelerometerOrientation", .string("normal"))
    #expect(desk.pass { value(source, "orientation").payload == .string("normal") })
    #expect(source.isUpdating)
    try source.stopUpdating()
    #expect(Patience.wait { desk.claims("Accelerometer") == 0 })
    try desk.context.close()
  }

  @Test func `P5 the chip is read again, and not claimed, once the daemon lets it go`() throws {
    let desk = try Desk(Accelerometer(), hasChip: true)
    try desk.start(leftUp)
    let source = try desk.context.open("accelerometer")
    desk.refuse(true)
    try source.startUpdating(every: 1_000_000_000)
    #expect(desk.pass { source.availability.detail == "orientation only" })
    desk.refuse(false)
    #expect(desk.pass { value(source, "acceleration").status == .ok })
    #expect(desk.pass { source.availability.detail.isEmpty })
    #expect(value(source, "acquisition").payload == .string("poll"))
    #expect(Patience.wait { desk.claims("Accelerometer") == 0 })
    try desk.context.close()
  }

  @Test func `P5 every half minute the daemon may let go of what it holds for us alone`() throws {
    let desk = try Desk(Accelerometer(), hasChip: true)
    try desk.start(leftUp)
    let source = try desk.context.open("accelerometer")
    desk.refuse(true)
    try source.startUpdating(every: 10_000_000_000)
    #expect(desk.pass { desk.claims("Accelerometer") == 1 })
    #expect(desk.pass { desk.claims("Accelerometer") == 0 })
    #expect(value(source, "orientation").payload == .string("left-up"))
    #expect(desk.pass { desk.claims("Accelerometer") == 1 })
    try desk.context.close()
  }

  @Test func `3.4 a daemon that returns is claimed again, however fast it was`() throws {
    for hasChip in [true, false] {
      let desk = try Desk(Accelerometer(), hasChip: hasChip)
      try desk.start(leftUp)
      let source = try desk.context.open("accelerometer")
      desk.refuse(true)
      try source.startUpdating(every: 1_000_000_000)
      #expect(desk.pass { value(source, "orientation").payload == .string("left-up") })
      try desk.start([
        ("HasAccelerometer", .bool(true)), ("AccelerometerOrientation", .string("right-up")),
      ])
      #expect(desk.pass { value(source, "orientation").payload == .string("right-up") })
      #expect(desk.claims("Accelerometer") == 1)
      #expect(source.isUpdating)
      try desk.context.close()
    }
  }

  @Test func `L10 a daemon that is killed takes its word with it, and brings it back`() throws {
    let desk = try Desk(Accelerometer(), hasChip: false)
    try desk.start(leftUp)
    let source = try desk.context.open("accelerometer")
    try source.startUpdating(every: 1_000_000_000)
    #expect(desk.pass { value(source, "orientation").payload == .string("left-up") })
    desk.end()
    #expect(desk.pass { value(source, "orientation").status == .noData })
    #expect(desk.pass { source.availability.group == .unavailable })
    #expect(source.isUpdating)
    try desk.start(leftUp)
    #expect(desk.pass { value(source, "orientation").payload == .string("left-up") })
    #expect(desk.pass { source.availability.detail == "orientation only" })
    try desk.context.close()
  }

  @Test func `3.2 a chip another program holds is busy, and no daemon's word stands in`() throws {
    let desk = try Desk(Accelerometer(), hasChip: true)
    try desk.start([("HasAccelerometer", .bool(false))])
    let source = try desk.context.open("accelerometer")
    desk.refuse(true)
    try source.updateValuesInPlace()
    #expect(value(source, "acceleration").absence?.errno == 16)
    #expect(value(source, "orientation").status == .failed)
    #expect(value(source, "acquisition").payload == .string("poll"))
    try desk.context.rescan()
    #expect(source.availability.state == .busy)
    #expect(source.availability.remedy.contains("iio-sensor-proxy"))
    #expect(Patience.wait { desk.claims("Accelerometer") == 0 })
    try desk.context.close()
  }

  @Test func `4.7 a compass only the daemon has is claimed while a source updates`() throws {
    let desk = try Desk(Compass(), hasChip: false)
    try desk.start([("HasCompass", .bool(true)), ("CompassHeading", .double(123.5))])
    let source = try desk.context.open("compass")
    #expect(source.id.description == "compass|sensor-proxy")
    #expect(source.availability == Availability(.available, backend: "sensor-proxy"))
    try source.startUpdating(every: 1_000_000_000)
    #expect(desk.pass { value(source, "magnetic_heading").payload == .double(123.5) })
    #expect(value(source, "method").payload == .string("service"))
    #expect(value(source, "true_heading").status == .noData)
    #expect(value(source, "declination").status == .noData)
    #expect(value(source, "accuracy").status == .unsupported)
    #expect(desk.claims("Compass") == 1)
    try source.set(.double(10), ofPropertyAt: 2)
    #expect(desk.pass { value(source, "true_heading").payload == .double(133.5) })
    for (heading, status) in [(-1.0, ValueStatus.noData), (360, .ok), (361, .failed)] {
      try desk.set("CompassHeading", .double(heading))
      #expect(desk.pass { value(source, "magnetic_heading").status == status })
    }
    try source.stopUpdating()
    #expect(Patience.wait { desk.claims("Compass") == 0 })
    try desk.context.close()
  }

  /// The compass on an object of its own, as the daemon shows it.
  private func addCompass(to bus: PrivateBus) throws -> ChildProcess {
    let own = path + "/Compass"
    let daemon = try bus.mock(name, own, compass)
    for (property, value) in [("HasCompass", BusValue.bool(true)), ("CompassHeading", .double(7))] {
      try bus.tell(
        name, own, "AddProperty", .string(compass), .string(property), .variant(value))
    }
    for method in ["ClaimCompass", "ReleaseCompass"] {
      try bus.tell(
        name, own, "AddMethod", .string(compass), .string(method), .string(""),
        .string(""), .string(""))
    }
    return daemon
  }

  @Test func `4.7 the compass is an object of its own`() throws {
    let desk = try Desk(Compass(), hasChip: false)
    let daemon = try addCompass(to: desk.bus)
    try desk.context.rescan()
    let source = try desk.context.open("compass")
    let samples = try source.updateValues()
    #expect(samples[0].payload == .double(7))
    let calls = { () -> [String] in
      let calls = try? desk.bus.tell(name, path + "/Compass", "GetCalls")
      return (calls?.first?.elements ?? []).compactMap { call in
        guard case .structure(let parts) = call, parts.count > 1 else { return nil }
        return parts[1].text
      }
    }
    #expect(Patience.wait { calls() == ["ClaimCompass", "ReleaseCompass"] })
    try desk.context.close()
    daemon.end()
  }

  @Test func `4.7 a compass that a policy keeps from us is restricted, and says by what`() throws {
    // As Debian's policy has it, for every user but geoclue.
    let properties = #"send_interface="org.freedesktop.DBus.Properties""#
    let rule = #"<deny send_destination="\#(name)" \#(properties) send_path="\#(path)/Compass"/>"#
    let desk = try Desk(Compass(), hasChip: false, rules: rule)
    #expect(try desk.context.open("compass").availability.state == .noHardware)
    // It runs for some sensor, and which one it does not say.
    try desk.start([])
    let source = try desk.context.open("compass")
    // The bus may tell of the daemon a moment after it answers it.
    let isRestricted = Patience.wait {
      try? desk.context.rescan()
      return source.availability.state == .restrictedByPolicy
    }
    #expect(isRestricted)
    #expect(source.availability.detail.contains(compass))
    #expect(source.availability.remedy.contains("/etc/dbus-1/system.d"))
    #expect(throws: SourceError.self) { try source.startUpdating(every: 1_000_000_000) }
    #expect(!source.isUpdating)
    // Where the kernel shows what sensors there are, it is believed.
    try desk.fixture.write("accel\n", to: chip + "/name")
    try desk.context.rescan()
    #expect(try desk.context.sources(of: "compass").isEmpty)
    try desk.context.close()
  }
}
