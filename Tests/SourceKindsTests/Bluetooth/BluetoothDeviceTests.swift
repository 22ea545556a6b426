import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct BluetoothDeviceTests {
  private static let headset: [String: BusValue] = [
    "Address": .string("01:02:03:04:05:0a"), "AddressType": .string("random"),
    "Alias": .string("Anna's"), "Connected": .bool(true), "Paired": .bool(true),
    "Trusted": .bool(false), "ServicesResolved": .bool(true), "RSSI": .int16(-61),
    "TxPower": .int16(4), "Icon": .string("audio-headset"), "Class": .uint32(0x240404),
    "UUIDs": .array(of: "s", [.string("b"), .string("a")]),
    "ManufacturerData": .dictionary(
      of: "qv",
      [
        BusPair(.uint16(0x0200), .variant(.bytes([9]))),
        BusPair(.uint16(0x004C), .variant(.bytes([1, 2]))),
      ]),
  ]
  private let name = "dev-" + MachineIdentity.none.digest(of: "01:02:03:04:05:0A")

  private static func machine(
    _ devices: [String: [String: BusValue]]
  ) throws -> (FixtureMachine, FixtureBus) {
    let (fixture, bus) = try BluetoothTests.machine()
    BluetoothTests.play(bus, devices: devices)
    return (fixture, bus)
  }

  @Test func `every field comes from its property`() throws {
    let (fixture, bus) = try Self.machine(["dev_1": Self.headset])
    bus.set(
      "org.bluez", "/org/bluez/hci0/dev_1", "org.bluez.Battery1", ["Percentage": .byte(73)])
    let harness = KindHarness(BluetoothDevice(), machine: fixture.machine)
    let values = try harness.read(name)
    let expected: [String: Value] = [
      "connected": .bool(true), "paired": .bool(true), "trusted": .bool(false),
      "services_resolved": .bool(true), "rssi": .double(-61), "tx_power": .double(4),
      "battery_level": .double(0.73), "address": .string("01:02:03:04:05:0A"),
      "address_type": .string("random"), "name": .string("Anna's"),
      "service_uuids": .string("b a"), "manufacturer_data": .bytes([0x4C, 0, 1, 2]),
      "icon": .string("audio-headset"), "class": .int(0x240404),
      "adapter": .string("bluetooth|usb-1-8:1.0"),
    ]
    #expect(values == expected.mapValues { .ok($0) })
    #expect(harness.instance(name)?.label == "headset")
  }

  @Test func `V6 V7 a percentage that cannot be is an error, and so is an address that is none`()
    throws
  {
    let (fixture, bus) = try Self.machine(["dev_1": Self.headset])
    let harness = KindHarness(BluetoothDevice(), machine: fixture.machine)
    for (percent, status) in [(UInt8(0), ValueStatus.ok), (100, .ok), (101, .failed)] {
      bus.set(
        "org.bluez", "/org/bluez/hci0/dev_1", "org.bluez.Battery1",
        ["Percentage": .byte(percent)])
      #expect(try harness.read(name)["battery_level"]?.status == status, "\(percent)")
    }
    for (address, status) in [
      ("01:02:03:04:05:0a", ValueStatus.ok), ("1:2:3:4:5:6", .failed), ("", .noData),
      ("00:00:00:00:00:00", .noData), ("somewhere", .failed),
    ] {
      bus.set(
        "org.bluez", "/org/bluez/hci0/dev_1", "org.bluez.Device1", ["Address": .string(address)])
      let reader = BluetoothDeviceReader(
        Instance(
          "dev", availability: Availability(.available), path: "/org/bluez/hci0/dev_1",
          notes: ["adapter": "hci0"]), on: fixture.machine)
      var reading = Reading(properties: BluetoothDevice.table.count)
      reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
      #expect(reading[BluetoothDevice.Field.address].status == status, "\(address)")
    }
  }

  @Test func `P4 neither label nor place holds address or name`() throws {
    let (fixture, _) = try Self.machine(["dev_01_02_03_04_05_0A": Self.headset])
    let harness = KindHarness(BluetoothDevice(), machine: fixture.machine)
    for key in BluetoothDevice().properties.map(\.key) {
      let place = try harness.raw(name, key)?.place ?? ""
      #expect(!place.contains("01_02"), "\(key)")
    }
    #expect(try harness.raw(name, "rssi")?.place == "org.bluez.Device1.RSSI")
    let label = try #require(harness.instance(name)).label
    #expect(!label.contains("Anna"))
  }

  @Test func `a strength that is gone is no data, and wrong types are errors`() throws {
    let (fixture, bus) = try Self.machine(["dev_1": Self.headset])
    let path = "/org/bluez/hci0/dev_1"
    bus.set(
      "org.bluez", path, "org.bluez.Device1",
      [
        "RSSI": nil, "TxPower": .double(4), "UUIDs": .string("x"),
        "ManufacturerData": .array(of: "a{qv}", []), "Class": .uint32(0),
      ])
    let values = try KindHarness(BluetoothDevice(), machine: fixture.machine).read(name)
    #expect(values["rssi"]?.status == .noData)
    #expect(values["tx_power"]?.status == .failed)
    #expect(values["service_uuids"]?.status == .failed)
    #expect(values["manufacturer_data"]?.status == .failed)
    #expect(values["class"]?.status == .noData)
    #expect(values["battery_level"]?.status == .noData)
    #expect(values["connected"] == .ok(.bool(true)))
  }

  @Test func `a strength heard long ago is stale`() throws {
    let (fixture, bus) = try Self.machine(["dev_1": Self.headset])
    let boot = LiveTime().now.boot
    for (age, status) in [(1, ValueStatus.ok), (11, .stale)] {
      var object = BusObject(["org.bluez.Device1": Self.headset])
      object.interfaces["org.bluez.Device1"]?["Adapter"] = .path("/org/bluez/hci0")
      object.updatedAt["RSSI"] = boot - Int64(age) * 1_000_000_000
      bus.run(
        "org.bluez",
        [
          "/org/bluez/hci0": BusObject([BluetoothTests.adapter: BluetoothTests.values]),
          "/org/bluez/hci0/dev_1": object,
        ])
      let values = try KindHarness(BluetoothDevice(), machine: fixture.machine).read(name)
      #expect(values["rssi"]?.status == status)
      #expect(values["rssi"]?.value == .double(-61))
    }
  }

  @Test func `devices that are known or connected are listed, connected ones first`() throws {
    var (far, near, orphan) = (Self.headset, Self.headset, Self.headset)
    far["Connected"] = .bool(false)
    far["Address"] = .string("01:00:00:00:00:01")
    near["Connected"] = .bool(false)
    near["Paired"] = .bool(false)
    near["Address"] = .string("01:00:00:00:00:02")
    orphan["Address"] = nil
    let (fixture, bus) = try Self.machine([
      "dev_0": far, "dev_1": Self.headset, "dev_2": near, "dev_3": orphan,
    ])
    let harness = KindHarness(BluetoothDevice(), machine: fixture.machine)
    let known = "dev-" + MachineIdentity.none.digest(of: "01:00:00:00:00:01")
    #expect(harness.names == [name, known])
    bus.remove("org.bluez", "/org/bluez/hci0")
    bus.fail("org.bluez", with: FixtureBus.notRunning("org.bluez"))
    let found = harness.discover()
    #expect(found.instances.isEmpty)
    #expect(found.absence.state == .serviceNotRunning)
  }
}
