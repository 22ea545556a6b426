import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct CellRadioTests {
  private let played: PlayedModem

  init() throws { played = try PlayedModem() }

  @Test func `every field comes from its property`() throws {
    played.bus.answer(
      "GetLocation", with: .success([PlayedModem.cell(.string("262,02,84CD,1A2B3C,2F1C"))]))
    let values = try played.read()
    let expected: [String: Value] = [
      "state": .string("registered"), "technology": .string("lte"),
      "signal_quality": .double(71), "operator_name": .string("Test Net"),
      "operator_code": .string("26202"), "mcc": .string("262"), "mnc": .string("02"),
      "registration": .string("roaming"), "rssi": .double(-61), "rsrp": .double(-92),
      "rsrq": .double(-11.5), "snr": .double(14), "location_area": .string("84CD"),
      "cell_id": .string("1A2B3C"), "tracking_area": .string("2F1C"),
      "manufacturer": .string("QUALCOMM"), "model": .string("EG25-G"),
      "imei": .string("867698041234567"),
    ]
    for (key, value) in expected { #expect(values[key] == .ok(value), "\(key)") }
    for key in ["rscp", "ecio", "sinr"] { #expect(values[key]?.status == .noData, "\(key)") }
    #expect(values.count == 21)
  }

  @Test func `N8 a modem is known by the digest of what it calls itself`() throws {
    let instance = try #require(played.harness().discover().instances.first)
    #expect(instance.name == MachineIdentity.none.digest(of: "a1b2c3"))
    #expect(instance.label == "QUALCOMM EG25-G")
    #expect(instance.availability.state == .available)
  }

  @Test func `3_4 the number in a modem's path is shown nowhere`() throws {
    let harness = played.harness()
    let instance = try #require(harness.discover().instances.first)
    #expect(!instance.name.contains("Modem/3") && !instance.label.contains("Modem/3"))
    #expect(!instance.availability.detail.contains("Modem/3"))
    for property in CellRadio().properties {
      let raw = try harness.raw(instance.name, property.key)
      #expect(raw?.place.contains("Modem/3") != true, "\(property.key)")
    }
    #expect(try harness.raw(instance.name, "state")?.place == "\(PlayedModem.modem).State")
    #expect(try harness.raw(instance.name, "rsrp")?.bytes == Array("-92.0".utf8))
  }

  @Test func `all states have a word, and what they mean for who wants to start`() throws {
    let expected: [(String, Availability.State)] = [
      ("failed", .failed), ("unknown", .searching), ("initializing", .searching),
      ("locked", .requiresPermission), ("disabled", .poweredOff), ("disabling", .poweredOff),
      ("enabling", .searching), ("enabled", .available), ("searching", .searching),
      ("registered", .available), ("disconnecting", .available), ("connecting", .available),
      ("connected", .available),
    ]
    for (number, (word, state)) in zip(Int32(-1)...11, expected) {
      played.set(PlayedModem.modem, ["State": .int32(number)])
      let availability = try #require(played.harness().discover().instances.first).availability
      #expect(availability.state == state, "\(number)")
      if state != .available { #expect(!availability.remedy.isEmpty, "\(number)") }
      if availability.group == .available {
        #expect(try played.read()["state"] == .ok(.string(word)))
      }
    }
    played.set(PlayedModem.modem, ["State": .int32(12)])
    #expect(try played.read()["state"]?.status == .failed)
  }

  @Test func `a locked SIM says what it needs`() throws {
    played.set(PlayedModem.modem, ["State": .int32(2), "UnlockRequired": .uint32(2)])
    #expect(played.harness().discover().instances.first?.availability.detail == "SIM PIN needed")
    played.set(PlayedModem.modem, ["UnlockRequired": .uint32(4)])
    #expect(played.harness().discover().instances.first?.availability.detail == "SIM PUK needed")
  }

  @Test func `L12 a source of a locked modem waits, and starts once it is unlocked`() throws {
    played.set(PlayedModem.modem, ["State": .int32(2)])
    let context = try played.open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 5_000_000_000)
    #expect(!source.isUpdating && source.availability.state == .requiresPermission)
    played.set(PlayedModem.modem, ["State": .int32(8)])
    try context.rescan()
    #expect(source.isUpdating)
    try context.close()
  }

  @Test func `A3 no modem is no hardware, no ModemManager is a service to start`() throws {
    played.bus.run(PlayedModem.daemon, [:])
    #expect(played.harness().discover().absence.state == .noHardware)
    played.bus.fail(PlayedModem.daemon, with: FixtureBus.notRunning(PlayedModem.daemon))
    let absent = played.harness().discover().absence
    #expect(absent.state == .serviceNotRunning)
    #expect(absent.remedy.hasPrefix("systemctl start ModemManager.service"))
    let bare = KindHarness(CellRadio(), machine: try FixtureMachine().machine).discover()
    #expect(bare.absence.state == .serviceNotRunning)
    // That there is no bus is said once.
    #expect(!bare.absence.detail.contains(";"))
  }

  @Test func `technologies are words, and neither none nor any is one`() throws {
    let expected: [(UInt32, String?)] = [
      (0, nil), (0xffff_ffff, nil), (1 << 1, "gsm"), (1 << 5 | 1 << 6, "umts hsdpa"),
      (1 << 14 | 1 << 15, "lte nr5g"), (1 << 17, "lte_nb_iot"), (1 << 30, nil),
    ]
    for (bits, words) in expected {
      played.set(PlayedModem.modem, ["AccessTechnologies": .uint32(bits)])
      let outcome = try played.read()["technology"]
      #expect(outcome?.value.text == words, "\(bits)")
      #expect(outcome?.status == (words == nil ? .noData : .ok), "\(bits)")
    }
  }

  @Test func `a signal is that of the technology in use`() throws {
    played.set(
      PlayedModem.signal,
      [
        "Gsm": PlayedModem.numbers(["rssi": -1]),
        "Umts": PlayedModem.numbers(["rssi": -2, "rscp": -3, "ecio": -4]),
        "Lte": PlayedModem.numbers(["rssi": -5, "rsrq": -6, "rsrp": -7, "snr": -8]),
        "Nr5g": PlayedModem.numbers(["rsrq": -9, "rsrp": -10, "snr": -11]),
        "Cdma": PlayedModem.numbers(["rssi": -12, "ecio": -13]),
        "Evdo": PlayedModem.numbers(["rssi": -14, "ecio": -15, "sinr": -16]),
      ])
    let keys = ["rssi", "rsrp", "rscp", "rsrq", "snr", "ecio", "sinr"]
    let expected: [(bit: UInt32, values: [Double?])] = [
      (1, [-1, nil, nil, nil, nil, nil, nil]), (4, [-1, nil, nil, nil, nil, nil, nil]),
      (5, [-2, nil, -3, nil, nil, -4, nil]), (9, [-2, nil, -3, nil, nil, -4, nil]),
      (14, [-5, -7, nil, -6, -8, nil, nil]), (16, [-5, -7, nil, -6, -8, nil, nil]),
      (15, [nil, -10, nil, -9, -11, nil, nil]), (10, [-12, nil, nil, nil, nil, -13, nil]),
      (12, [-14, nil, nil, nil, nil, -15, -16]),
    ]
    for (bit, numbers) in expected {
      played.set(PlayedModem.modem, ["AccessTechnologies": .uint32(1 << bit)])
      let values = try played.read()
      for (key, number) in zip(keys, numbers) {
        #expect(values[key]?.value.number == number, "\(bit) \(key)")
        #expect(values[key]?.status == (number == nil ? .noData : .ok), "\(bit) \(key)")
      }
    }
    played.set(PlayedModem.modem, ["AccessTechnologies": .uint32(1 << 14 | 1 << 15)])
    played.set(PlayedModem.signal, ["Nr5g": PlayedModem.numbers([:])])
    #expect(try played.read()["rsrp"] == .ok(.double(-7)))
  }

  @Test func `V6 what the daemon does not know is no number`() throws {
    played.set(
      PlayedModem.signal,
      [
        "Lte": PlayedModem.numbers([
          "rssi": -Double.greatestFiniteMagnitude, "rsrp": .infinity, "rsrq": .nan, "snr": 0,
        ])
      ])
    let values = try played.read()
    for key in ["rssi", "rsrp", "rsrq"] { #expect(values[key]?.status == .noData, "\(key)") }
    #expect(values["snr"] == .ok(.double(0)))
  }

  @Test func `a quality that is not recent is stale, and one out of range an error`() throws {
    played.set(PlayedModem.modem, ["SignalQuality": .structure([.uint32(40), .bool(false)])])
    let old = try played.read()["signal_quality"]
    #expect(old?.status == .stale && old?.value == .double(40))
    played.set(PlayedModem.modem, ["SignalQuality": .structure([.uint32(101), .bool(true)])])
    #expect(try played.read()["signal_quality"]?.status == .failed)
  }

  @Test func `an operator's code is split after three digits`() throws {
    let expected: [(String, ValueStatus, String?, String?)] = [
      ("310410", .ok, "310", "410"), ("00101", .ok, "001", "01"), ("", .noData, nil, nil),
      ("abc01", .failed, nil, nil), ("262", .failed, nil, nil), ("2620200", .failed, nil, nil),
    ]
    for (code, status, mcc, mnc) in expected {
      played.set(PlayedModem.network, ["OperatorCode": .string(code)])
      let values = try played.read()
      #expect(values["mcc"]?.status == status && values["mnc"]?.status == status, "\(code)")
      #expect(values["mcc"]?.value.text == mcc && values["mnc"]?.value.text == mnc, "\(code)")
    }
  }

  @Test func `registrations have words, those beyond the list one together`() throws {
    let words = ["idle", "home", "searching", "denied", "unknown", "roaming", "other", "other"]
    for (number, word) in zip(UInt32(0)..., words) {
      played.set(PlayedModem.network, ["RegistrationState": .uint32(number)])
      #expect(try played.read()["registration"] == .ok(.string(word)))
    }
  }

  @Test func `V5 each property that is missing or of another type is its own business`() throws {
    let fields: [(interface: String, name: String, keys: Set<String>)] = [
      (PlayedModem.modem, "SignalQuality", ["signal_quality"]),
      (PlayedModem.modem, "Manufacturer", ["manufacturer"]),
      (PlayedModem.modem, "Model", ["model"]),
      (PlayedModem.network, "OperatorName", ["operator_name"]),
      (PlayedModem.network, "OperatorCode", ["operator_code", "mcc", "mnc"]),
      (PlayedModem.network, "RegistrationState", ["registration"]),
      (PlayedModem.network, "Imei", ["imei"]),
      (PlayedModem.signal, "Lte", ["rssi", "rsrp", "rscp", "rsrq", "snr", "ecio", "sinr"]),
      (PlayedModem.location, "Location", ["cell_id", "location_area", "tracking_area"]),
    ]
    let good = try played.read()
    for field in fields {
      let kept = PlayedModem.interfaces[field.interface]?[field.name]
      for (value, status) in [(BusValue?.none, ValueStatus.noData), (.bytes([7]), .failed)] {
        played.set(field.interface, [field.name: value])
        let values = try played.read()
        for key in field.keys { #expect(values[key]?.status == status, "\(key): \(field.name)") }
        for (key, outcome) in good where !field.keys.contains(key) {
          #expect(values[key] == outcome, "\(key): \(field.name)")
        }
      }
      played.set(field.interface, [field.name: kept])
    }
  }

  @Test func `V5 an interface that is missing is unsupported, unless it may come`() throws {
    var bare = PlayedModem.interfaces
    for name in [PlayedModem.network, PlayedModem.signal, PlayedModem.location] { bare[name] = nil }
    let played = try PlayedModem(bare)
    for (state, status) in [(Int32(8), ValueStatus.unsupported), (1, .noData)] {
      played.set(PlayedModem.modem, ["State": .int32(state)])
      let values = try played.read()
      for key in ["operator_name", "registration", "rsrp", "cell_id", "imei"] {
        #expect(values[key]?.status == status, "\(key)")
      }
      #expect(values["signal_quality"] == .ok(.double(71)))
    }
  }
}
