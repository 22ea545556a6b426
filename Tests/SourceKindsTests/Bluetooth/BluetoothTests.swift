import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct BluetoothTests {
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"

  /// A machine with an adapter behind USB, and the bus on which BlueZ is played.
  static func machine(
    _ files: [String: String] = [:]
  ) throws -> (FixtureMachine, FixtureBus) {
    let bus = FixtureBus()
    let folder = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-8/1-8:1.0"
    let fixture = try FixtureMachine(
      ["\(folder)/bluetooth/hci0/type": "primary\n"].merging(files) { $1 },
      links: [
        "/sys/class/bluetooth/hci0": "../../devices/pci0000:00/0000:00:14.0/usb1/1-8/1-8:1.0"
          + "/bluetooth/hci0",
        "\(folder)/bluetooth/hci0/device": "../../../1-8:1.0",
      ], bus: bus)
    return (fixture, bus)
  }

  static let values: [String: BusValue] = [
    "Powered": .bool(true), "Discovering": .bool(false), "Discoverable": .bool(true),
    "Pairable": .bool(false), "Address": .string("aa:bb:cc:dd:ee:ff"),
    "Alias": .string("desk"),
  ]

  static func play(_ bus: FixtureBus, devices: [String: [String: BusValue]] = [:]) {
    var objects = ["/org/bluez/hci0": BusObject([adapter: values])]
    for (name, properties) in devices {
      var properties = properties
      properties["Adapter"] = .path("/org/bluez/hci0")
      objects["/org/bluez/hci0/\(name)"] = BusObject([device: properties])
    }
    bus.run("org.bluez", objects)
  }

  @Test func `N6 N7 an adapter is known by its place, and by the kernel's name`() throws {
    let (fixture, bus) = try Self.machine()
    Self.play(bus)
    let harness = KindHarness(Bluetooth(), machine: fixture.machine)
    #expect(harness.names == ["usb-1-8:1.0"])
    #expect(harness.instance(alias: "hci0")?.name == "usb-1-8:1.0")
    #expect(harness.instance("usb-1-8:1.0")?.availability.state == .available)
  }

  @Test func `every field comes from its property`() throws {
    let (fixture, bus) = try Self.machine()
    Self.play(
      bus,
      devices: [
        "dev_1": ["Connected": .bool(true), "Paired": .bool(true)],
        "dev_2": ["Connected": .bool(false), "Trusted": .bool(true)],
        "dev_3": ["Connected": .bool(false)],
      ])
    let values = try KindHarness(Bluetooth(), machine: fixture.machine).read("hci0")
    #expect(values["powered"] == .ok(.bool(true)))
    #expect(values["discovering"] == .ok(.bool(false)))
    #expect(values["discoverable"] == .ok(.bool(true)))
    #expect(values["pairable"] == .ok(.bool(false)))
    #expect(values["connected_count"] == .ok(.int(1)))
    #expect(values["known_count"] == .ok(.int(2)))
    #expect(values["address"] == .ok(.string("AA:BB:CC:DD:EE:FF")))
    #expect(values["name"] == .ok(.string("desk")))
  }

  @Test func `V5 a property that is not known, or of another type, is its own business`() throws {
    let (fixture, bus) = try Self.machine()
    Self.play(bus)
    bus.set(
      "org.bluez", "/org/bluez/hci0", Self.adapter,
      ["Pairable": .string("yes"), "Discoverable": nil])
    let values = try KindHarness(Bluetooth(), machine: fixture.machine).read("hci0")
    #expect(values["pairable"]?.status == .failed)
    #expect(values["pairable"]?.absence?.reason.contains("yes") == true)
    #expect(values["discoverable"]?.status == .noData)
    #expect(values["powered"] == .ok(.bool(true)))
  }

  @Test func `A1 an adapter without BlueZ says which unit to start, as a shell takes it`() throws {
    let (fixture, bus) = try Self.machine()
    let harness = KindHarness(Bluetooth(), machine: fixture.machine)
    let absent = try #require(harness.instance("usb-1-8:1.0")).availability
    #expect(absent.state == .serviceNotRunning)
    #expect(absent.remedy == "systemctl start bluetooth.service # from package bluez")
    bus.fail(
      "org.bluez", with: BusFailure(.notRunning(isActivatable: true), message: "could be"))
    #expect(
      harness.instance("usb-1-8:1.0")?.availability.remedy == "systemctl start bluetooth.service")
  }

  @Test func `no adapter is no hardware, whatever the bus says`() throws {
    let fixture = try FixtureMachine(bus: FixtureBus())
    let found = KindHarness(Bluetooth(), machine: fixture.machine).discover()
    #expect(found.instances.isEmpty)
    #expect(found.absence.state == .noHardware)
    let bare = KindHarness(Bluetooth(), machine: try FixtureMachine().machine).discover()
    #expect(bare.absence.state == .noHardware)
  }

  @Test func `an adapter that is off or blocked is powered off, with the remedy`() throws {
    let (fixture, bus) = try Self.machine()
    Self.play(bus)
    bus.set("org.bluez", "/org/bluez/hci0", Self.adapter, ["Powered": .bool(false)])
    let harness = KindHarness(Bluetooth(), machine: fixture.machine)
    let off = try #require(harness.instance("usb-1-8:1.0")).availability
    #expect(off.state == .poweredOff)
    #expect(
      off.remedy
        == "busctl set-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Powered b true")
    try fixture.write(
      "1\n",
      to: "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-8/1-8:1.0/bluetooth/hci0/rfkill3/soft")
    let blocked = try #require(harness.instance("usb-1-8:1.0")).availability
    #expect(blocked.state == .poweredOff)
    #expect(blocked.remedy == "rfkill unblock bluetooth # from package rfkill")
  }

  @Test func `N8 an adapter the kernel does not show is known by a digest`() throws {
    let bus = FixtureBus()
    Self.play(bus)
    let fixture = try FixtureMachine(bus: bus)
    let digest = MachineIdentity.none.digest(of: "AA:BB:CC:DD:EE:FF")
    #expect(KindHarness(Bluetooth(), machine: fixture.machine).names == [digest])
  }

  @Test func `P5 devices are looked for while that is allowed and a source updates`() throws {
    let (fixture, bus) = try Self.machine()
    Self.play(bus, devices: ["dev_3": ["Address": .string("01:02:03:04:05:06")]])
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [Bluetooth(), BluetoothDevice()])
    let source = try context.open("bluetooth")
    try source.updateValuesInPlace()
    try source.startUpdating(every: 1_000_000_000)
    #expect(bus.calls.isEmpty)
    try source.stopUpdating()
    try context.setAllow(Allowance(categories: [.bluetoothDiscovery]))
    try source.updateValuesInPlace()
    #expect(bus.calls.isEmpty)
    try source.startUpdating(every: 1_000_000_000)
    #expect(bus.calls.map(\.member) == ["SetDiscoveryFilter", "StartDiscovery"])
    #expect(try context.sources(of: "bluetooth_device").count == 1)
    try source.stopUpdating()
    #expect(Patience.wait { bus.calls.last?.member == "StopDiscovery" })
    #expect(try context.sources(of: "bluetooth_device").isEmpty)
    // P3: a revocation and a grant act at once, without a tick.
    try source.startUpdating(every: 1_000_000_000)
    #expect(bus.calls.last?.member == "StartDiscovery")
    try context.setAllow(.none)
    #expect(Patience.wait { bus.calls.last?.member == "StopDiscovery" })
    try context.setAllow(Allowance(categories: [.bluetoothDiscovery]))
    #expect(bus.calls.last?.member == "StartDiscovery")
    try source.stopUpdating()
    #expect(Patience.wait { bus.calls.last?.member == "StopDiscovery" })
    try context.close()
    #expect(bus.watchCount(of: "org.bluez") == 0)
  }

  @Test func `a discovery that BlueZ refused is asked for again, and one that runs is not`() throws
  {
    let (fixture, bus) = try Self.machine()
    Self.play(bus)
    bus.set("org.bluez", "/org/bluez/hci0", Self.adapter, ["Discovering": .bool(false)])
    let kind = Bluetooth()
    let instance = try #require(kind.discover(on: fixture.machine).instances.first)
    let reader = try #require(try kind.open(instance, on: fixture.machine))
    var request = ReadRequest(scope: .changing, allow: .all)
    request.isUpdating = true
    var reading = Reading(properties: kind.properties.count)
    let begin = fixture.machine.clock.now.boot
    let starts = { bus.calls.count { $0.member == "StartDiscovery" } }
    for (moment, isDiscovering, wanted) in [
      (0, false, 1), (1_999_999_999, false, 1), (2_000_000_000, false, 2),
      // The pause begins anew with each time it is asked.
      (3_999_999_999, false, 2), (4_000_000_000, false, 3), (6_000_000_000, true, 3),
      (9_000_000_000, true, 3),
    ] as [(Int64, Bool, Int)] {
      fixture.loop.advance(to: begin + moment)
      bus.set("org.bluez", "/org/bluez/hci0", Self.adapter, ["Discovering": .bool(isDiscovering)])
      reader.read(request, into: &reading)
      #expect(starts() == wanted, "after \(moment) ns")
    }
    // An adapter that was off is asked at once.
    for isOn in [false, true] {
      bus.set("org.bluez", "/org/bluez/hci0", Self.adapter, ["Powered": .bool(isOn)])
      reader.read(request, into: &reading)
    }
    #expect(
      bus.calls.suffix(3).map(\.member) == [
        "StopDiscovery", "SetDiscoveryFilter", "StartDiscovery",
      ])
  }

  @Test func `P1 P4 nothing personal is told without leave`() throws {
    let (fixture, bus) = try Self.machine()
    Self.play(bus)
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [Bluetooth()])
    let source = try context.open("bluetooth")
    let samples = try source.updateValues()
    let table = source.properties
    for (property, sample) in zip(table, samples) where property.category != nil {
      #expect(sample.status == .permission, "\(property.key)")
      #expect(sample.payload == nil)
    }
    #expect(samples.filter { $0.status == .ok }.count == 6)
    try context.close()
  }
}
