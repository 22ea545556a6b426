import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct ProximityTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Proximity(), machine: machine.with(files: files)), files)
  }

  @Test func `sensors for the user come first, antennas and palms never speak for them`() throws {
    let several = try harness("sensors-several").0
    #expect(
      several.names == [
        "prox.HID-SENSOR-200011", "vcnl4000.3-0048", "Front proximity.platform-keys",
        "sx9310.proximity-wifi-lte.3-0028", "sx9310.proximity-palmrest-left.3-0029",
        "vl53l0x.proximity-lap.3-0030",
      ])
    let roles = try several.names.map { try several.read($0).text("role") }
    #expect(roles == ["user", "user", "user", "wifi", "palmrest", "lap"])
  }

  @Test(
    arguments: [
      ("proximity-lte", "lte"), ("proximity-wifi-left", "wifi"), ("proximity-tail", "other"),
      ("proximity-", "other"), ("front", "user"), (nil, "user"),
    ] as [(String?, String)])
  func `the role is the first word after proximity`(_ label: String?, _ role: String) {
    #expect(Proximity.Role(label: label).rawValue == role)
  }

  @Test func `every file of a sensor reaches its own property`() throws {
    let found = try harness("sensors-phone").0.read("stk3310.1-0048")
    let payloads: [String: Value] = [
      "near": .bool(true), "raw": .int(300), "near_level": .int(250), "role": .string("user"),
      "acquisition": .string("poll"), "driver": .string("stk3310"), "location": .string("unknown"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    for key in ["distance", "label", "sampling_frequency"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
    let antenna = try harness("sensors-several").0.read("iio:device2")
    #expect(antenna.payload("raw") == .int(90))
    #expect(antenna.payload("near_level") == .int(100))
    #expect(antenna.payload("near") == .bool(false))
    #expect(antenna.double("sampling_frequency") == 16)
    #expect(antenna.text("label") == "proximity-wifi-lte")
  }

  @Test func `with a scale the number is a distance, too`() throws {
    let found = try harness("sensors-several").0.read("iio:device4")
    #expect(found.double("distance") == 0.45)
    #expect(found.payload("raw") == .int(450))
    #expect(found.status("near") == .noData)
    #expect(found["near"]?.absence?.remedy == "set PROXIMITY_NEAR_LEVEL in udev's hwdb")
    #expect(found.status("near_level") == .unsupported)
  }

  @Test func `udev may know the near level, and a hub needs none`() throws {
    let (several, files) = try harness("sensors-several")
    let udev = try several.read("iio:device6")
    #expect(udev.payload("near_level") == .int(100))
    #expect(udev.payload("near") == .bool(true))
    let hub = try several.read("iio:device5")
    #expect(hub.payload("near") == .bool(true))
    #expect(hub.payload("raw") == .int(1))
    files.write("0\n", to: "/sys/bus/iio/devices/iio:device5/in_proximity_raw")
    #expect(try several.read("iio:device5").payload("near") == .bool(false))
  }

  @Test func `near begins at the level and ends below nine tenths of it`() throws {
    let (phone, files) = try harness("sensors-phone")
    let instance = try #require(phone.instance("stk3310.1-0048"))
    let reader = try #require(try phone.kind.open(instance, on: phone.machine))
    var reading = Reading(properties: phone.kind.properties.count)
    let expected: [(Int, Bool)] = [
      (249, false), (250, true), (225, true), (224, false), (249, false), (1000, true),
    ]
    for (step, (number, isNear)) in expected.enumerated() {
      files.write("\(number)\n", to: "/sys/bus/iio/devices/iio:device1/in_proximity_raw")
      let scope: ReadRequest.Scope = step % 3 == 0 ? .everything : .changing
      reader.read(ReadRequest(scope: scope, allow: .all), into: &reading)
      #expect(reading[Proximity.Field.near].flag == isNear, "\(number)")
      #expect(reading[Proximity.Field.raw].integer == Int64(number))
    }
  }

  @Test func `rows of a stream are near or far by the same level as readings`() throws {
    let fixture = try machine(named: "sensors-several")
    let scans = FakeScans()
    let machine = fixture.with(iio: fixture.iio.files, scans: scans)
    let harness = KindHarness(Proximity(), machine: machine)
    let instance = try #require(harness.instance("vcnl4000.3-0048"))
    let reader = try #require(try harness.kind.open(instance, on: machine) as? any StreamingReader)
    var reading = Reading(properties: harness.kind.properties.count)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    #expect(reading[Proximity.Field.near].flag == true)
    let diary = SampleDiary()
    let stream = try reader.openStream(
      every: 10_000_000, on: VirtualLoop(clock: VirtualTime()), deliver: diary.take,
      ended: diary.end)
    scans.bring([[95], [89], [95], [100]], at: [10, 20, 30, 40])
    #expect(diary.numbers(Proximity.Field.raw.rawValue) == [95, 89, 95, 100])
    #expect(diary.numbers(Proximity.Field.near.rawValue) == [1, 0, 0, 1])
    stream.cancel()
  }

  @Test func `a switch reports near or far only`() throws {
    let found = try harness("sensors-several").0.read("event3")
    #expect(found.payload("near") == .bool(true))
    #expect(found.text("driver") == "Front proximity")
    for key in ["raw", "distance", "near_level", "label"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
  }

  @Test func `V6: what is no count or no level tells no near`() throws {
    let hostile = try harness("sensors-hostile").0
    let found = try hostile.read("iio:device1")
    #expect(found.status("raw") == .failed)
    #expect(found.status("near") == .failed)
    #expect(found.status("near_level") == .failed)
    #expect(found.status("driver") == .unsupported)
    let odd = try hostile.read("iio:device5")
    #expect(odd.payload("raw") == .int(3))
    #expect(odd.text("driver") == "prox|odd")
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let folder = "/sys/bus/iio/devices/iio:device1"
    try expectOnlyOwnValuesChange(
      Proximity(), on: machine(named: "sensors-phone"), instance: "iio:device1",
      files: [
        "in_proximity_raw": HostileFile(own: ["raw"], derived: ["near"], decidesInstance: true),
        "in_proximity_nearlevel": HostileFile(own: ["near_level"], derived: ["near"]),
        "\(folder)/name": HostileFile(own: ["driver"]),
        "dev": HostileFile(),
      ],
      ignoring: namesOfDevices(besides: 1))
    try expectOnlyOwnValuesChange(
      Proximity(), on: machine(named: "sensors-several"), instance: "iio:device6",
      files: [
        "in_proximity_raw": HostileFile(own: ["raw"], derived: ["near"], decidesInstance: true),
        "dev": HostileFile(derived: ["near_level", "near"]),
        "/run/udev/data/c247:6": HostileFile(derived: ["near_level", "near"]),
        "/sys/bus/iio/devices/iio:device6/name": HostileFile(own: ["driver"]),
      ],
      ignoring: namesOfDevices(besides: 6).union([
        "in_proximity_scale", "sw", "/sys/class/input/event3/device/name",
      ]))
  }
}
