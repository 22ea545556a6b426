import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct TelephonyTests {
  private let played: PlayedTelephone

  init() throws { played = try PlayedTelephone() }

  @Test func `every field comes from its property, and oFono's counts become decibels`() throws {
    let values = try played.read()
    let expected: [String: Value] = [
      "state": .string("registered"), "technology": .string("lte"),
      "signal_quality": .double(71), "operator_name": .string("Test Net"),
      "operator_code": .string("26202"), "mcc": .string("262"), "mnc": .string("02"),
      "registration": .string("roaming"), "rssi": .double(-61), "rsrp": .double(-92),
      "rscp": .double(-111), "rsrq": .double(-11.5), "snr": .double(-3.7), "ecio": .double(-21),
      "cell_id": .string("1A2B3C"), "location_area": .string("84CD"),
      "tracking_area": .string("2F1C"), "manufacturer": .string("QUALCOMM"),
      "model": .string("EG25-G"), "imei": .string("867698041234567"),
    ]
    for key in CellRadio.table.map(\.key) {
      if let value = expected[key] {
        #expect(values.payload(key) == value, "\(key)")
      } else {
        #expect(values.status(key) == .unsupported, "\(key)")
        #expect(values.reason(key)?.contains("oFono") == true, "\(key)")
      }
    }
    let members = Set(played.bus.calls.map(\.member))
    #expect(members == ["GetServingCellInformation"])
  }

  @Test func `raw values name the interface and property of the bus (V3)`() throws {
    let harness = played.harness()
    let name = try #require(harness.names.first)
    for (key, text, place) in [
      ("rsrp", "49", "NetworkMonitor.GetServingCellInformation.ReferenceSignalReceivedPower"),
      ("signal_quality", "71", "NetworkRegistration.Strength"),
      ("registration", "roaming", "NetworkRegistration.Status"), ("state", "true", "Modem.Powered"),
      ("cell_id", "1715004", "NetworkRegistration.CellId"), ("model", "EG25-G", "Modem.Model"),
    ] {
      #expect(
        try harness.raw(name, key) == RawValue(text.utf8, place: "org.ofono.\(place)"), "\(key)")
    }
  }

  @Test func `N6 N8 a modem is named by a digest of its serial number, never by its path`() throws {
    let name = try #require(played.harness().names.first)
    let identity = MachineIdentity.of(played.fixture.machine)
    #expect(name == identity.digest(of: "867698041234567"))
    played.show(paths: ["/quectel_1"])
    #expect(played.harness().names == [name])
    played.show(modem: ["Serial": nil, "SystemPath": .string("/sys/devices/usb1")])
    #expect(played.harness().names == [identity.digest(of: "/sys/devices/usb1")])
    played.show(paths: ["/quectel_10", "/quectel_2"])
    let found = played.harness().discover().instances
    #expect(found.map(\.name) == [name, "\(name)~2"])
    #expect(found.map(\.path) == ["/quectel_2", "/quectel_10"])
    #expect(found.first?.label == "QUALCOMM EG25-G")
  }

  @Test func `H3 a modem that ModemManager knows is listed once, others beside it`() throws {
    let bus = played.bus
    var interfaces = PlayedModem.interfaces
    bus.run(PlayedModem.daemon, [PlayedModem.path: BusObject(interfaces)])
    let both = played.harness().discover().instances
    #expect(both.map(\.availability.backend) == ["ModemManager1", "ofono"])
    interfaces[PlayedModem.modem]?["EquipmentIdentifier"] = .string("867698041234567")
    bus.run(PlayedModem.daemon, [PlayedModem.path: BusObject(interfaces)])
    #expect(played.harness().discover().instances.map(\.availability.backend) == ["ModemManager1"])
  }

  @Test func `A3 without any modem ModemManager speaks, and oFono is named`() throws {
    played.bus.run(PlayedModem.daemon, [:])
    played.show(paths: [])
    var absent = played.harness().discover().absence
    #expect(absent.state == .noHardware && absent.detail.contains("oFono"))
    played.bus.fail(PlayedModem.daemon, with: FixtureBus.notRunning(PlayedModem.daemon))
    played.bus.fail("org.ofono", with: FixtureBus.notRunning("org.ofono"))
    absent = played.harness().discover().absence
    #expect(absent.state == .serviceNotRunning && absent.backend == "ModemManager1")
    #expect(absent.detail.contains("org.ofono is not running"))
    let refusal = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not you")
    played.bus.fail("org.ofono", with: refusal)
    #expect(played.harness().discover().absence.detail.hasSuffix("not you"))
  }

  @Test func `what stands in the way of a modem is its availability, and its state`() throws {
    let cases: [([String: BusValue?], [String: BusValue?], Availability.State, String)] = [
      (["Powered": .bool(false)], [:], .poweredOff, "disabled"),
      (["Online": .bool(false)], [:], .poweredOff, "disabled"),
      ([:], ["PinRequired": .string("pin")], .requiresPermission, "locked"),
      (["Online": .bool(false)], ["PinRequired": .string("puk")], .requiresPermission, "locked"),
      ([:], ["Status": .string("searching")], .searching, "searching"),
      ([:], ["Status": .string("denied")], .available, "enabled"),
      ([:], ["Status": .string("registered")], .available, "registered"),
    ]
    for (modem, properties, state, word) in cases {
      played.show(modem: modem, properties)
      #expect(played.availability?.state == state, "\(word)")
      #expect(played.availability?.remedy.isEmpty == (state == .available), "\(word)")
      let reader = TelephonyReader(PlayedTelephone.path, on: played.fixture.machine)
      var reading = Reading(properties: CellRadio.table.count)
      reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
      #expect(reading[CellRadio.Field.state].value.text == word)
    }
  }

  @Test func `registrations and technologies are words of the catalogue`() throws {
    for (status, word) in [
      ("unregistered", "idle"), ("registered", "home"), ("denied", "denied"),
      ("unknown", "unknown"), ("roaming", "roaming"),
    ] {
      played.show(["Status": .string(status)])
      #expect(try played.read().text("registration") == word)
    }
    played.show(["Status": .string("odd"), "Technology": .string("nr")])
    #expect(try played.read().status("registration") == .failed)
    #expect(try played.read().text("technology") == "nr5g")
  }

  @Test func `V6 counts that stand for unknown are no data, and those that cannot be an error`()
    throws
  {
    let cases: [(String, Int32, Int32, String)] = [
      ("ReferenceSignalReceivedPower", 255, 98, "rsrp"),
      ("ReferenceSignalReceivedQuality", 255, 35, "rsrq"),
      ("ReceivedSignalCodePower", 255, 97, "rscp"), ("ReceivedEnergyRatio", 255, 50, "ecio"),
      ("Strength", 99, 32, "rssi"), ("ReceivedSignalStrength", 99, 64, "rssi"),
      ("SingalToNoiseRatio", .min, 301, "snr"),
      ("TrackingAreaCode", 0xFFFE, 0x10000, "tracking_area"),
    ]
    for (name, unknown, impossible, key) in cases {
      if unknown != .min {
        played.show(cell: [name: .int32(unknown)])
        #expect(try played.read().status(key) == .noData, "\(name)")
      }
      played.show(cell: [name: .int32(impossible)])
      #expect(try played.read().status(key) == .failed, "\(name)")
    }
    for (number, status) in [(0, ValueStatus.noData), (0x1000_0000, .failed), (-1, .noData)] {
      played.show(["CellId": .int64(Int64(number))])
      #expect(try played.read().status("cell_id") == status, "\(number)")
    }
    played.show(modem: ["Serial": .string("000000000000000")])
    #expect(try played.read().status("imei") == .noData)
  }

  @Test func `V5 each property that is missing or of another type is its own business`() throws {
    let fields: [String: Set<String>] = [
      "Strength": ["signal_quality"], "Name": ["operator_name"], "Technology": ["technology"],
      "MobileCountryCode": ["mcc", "operator_code"], "MobileNetworkCode": ["mnc", "operator_code"],
      "CellId": ["cell_id"], "LocationAreaCode": ["location_area"],
    ]
    let good = try played.read()
    for (name, keys) in fields {
      for (value, status) in [(BusValue?.none, ValueStatus.noData), (.descriptor, .failed)] {
        played.show([name: value])
        let values = try played.read()
        for (key, outcome) in good {
          #expect(
            keys.contains(key) ? values.status(key) == status : values[key] == outcome,
            "\(name): \(key)")
        }
      }
    }
  }

  @Test func `an interface that is missing is unsupported, one that refuses a permission`() throws {
    played.show(modem: ["Interfaces": .array(of: "s", [])])
    let values = try played.read()
    for key in ["operator_name", "signal_quality", "rsrp", "cell_id"] {
      #expect(values.status(key) == .unsupported, "\(key)")
    }
    #expect(values.text("model") == "EG25-G" && values.text("state") == "enabled")
    played.show()
    let refusal = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not you")
    played.bus.answer("GetServingCellInformation", with: .failure(refusal))
    #expect(try played.read().status("rsrp") == .permission)
    #expect(try played.read().double("signal_quality") == 71)
    let registration = "org.ofono.NetworkRegistration"
    played.show(failures: [registration: refusal])
    #expect(try played.read().status("signal_quality") == .permission)
    played.show(failures: [registration: BusFailure(.timedOut, message: "slow", errno: 110)])
    #expect(try played.read()["signal_quality"]?.absence?.errno == 110)
    #expect(try played.read().text("model") == "EG25-G")
  }

  @Test func `P1 P4 cells and serial numbers are kept only where they are allowed`() throws {
    let harness = played.harness(.none)
    let name = try #require(harness.names.first)
    let values = try harness.read(name)
    for key in ["cell_id", "location_area", "tracking_area", "imei"] {
      #expect(values.status(key) == .permission, "\(key)")
      #expect(try harness.raw(name, key) == nil, "\(key)")
    }
    #expect(values.double("rsrp") == -92)
    #expect(!"\(harness.discover())".contains("867698041234567"))
  }
}
