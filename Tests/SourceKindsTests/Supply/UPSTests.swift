import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// The values of the kind `ups`, from an upsd that the test plays.
@Suite struct UPSTests {
  @Test func `one list names the devices in natural order, and nothing stays connected`() throws {
    let desk = try UPSDesk()
    desk.upsd.list(("rack10", "Unavailable"), ("rack2", "cellar"), ("Büro", "Unavailable"))
    for name in ["rack10", "rack2", "Büro"] { desk.upsd.set(name, UPSDesk.plain) }
    let found = try desk.context.sources(of: "ups")
    #expect(found.map(\.id.description) == ["ups|B%C3%BCro", "ups|rack2", "ups|rack10"])
    #expect(found.allSatisfy { $0.availability.state == .available })
    // What the owner calls it is personal: it is no label.
    #expect(found.map(\.label) == ["Büro", "rack2", "rack10"])
    #expect(desk.upsd.openings == 1)
    #expect(Patience.wait { !desk.upsd.isOpen })
    #expect(desk.upsd.asked.allSatisfy { $0 == "LIST UPS" || $0.hasPrefix("LIST VAR ") })
    #expect(try desk.context.open("ups").id.description == "ups|B%C3%BCro")
  }

  @Test func `every variable becomes its value`() throws {
    let desk = try UPSDesk()
    desk.play([
      "ups.status": "OB DISCHRG LB RB", "ups.alarm": "Replace battery!", "battery.charge": "042.7",
      "ups.load": "112", "battery.runtime": "95", "ups.realpower": "321", "ups.power": "400.5",
      "input.voltage": "0.0", "output.voltage": "229.8", "battery.voltage": "13.1",
      "input.frequency": "49.9", "ups.temperature": "-3.5", "battery.temperature": "25",
      "ambient.temperature": "19", "ambient.humidity": "44", "ups.test.result": "Done and passed",
      "device.mfr": "Acme", "ups.mfr": "Other", "ups.model": "Pro 1500", "ups.firmware": "2.1",
      "driver.name": "usbhid-ups", "device.serial": "000127",
    ])
    let values = try desk.read()
    let expected: [String: Value] = [
      "state": .string("on_battery"), "low_battery": .bool(true), "replace_battery": .bool(true),
      "charging": .bool(false), "discharging": .bool(true), "overload": .bool(false),
      "forced_shutdown": .bool(false), "status": .string("OB DISCHRG LB RB"),
      "alarm": .string("Replace battery!"), "level": .double(42.7 / 100), "load": .double(1.12),
      "runtime": .double(95), "real_power": .double(321), "apparent_power": .double(400.5),
      "input_voltage": .double(0), "output_voltage": .double(229.8),
      "battery_voltage": .double(13.1), "input_frequency": .double(49.9),
      "temperature": .double(-3.5), "ambient_temperature": .double(19),
      "ambient_humidity": .double(44), "test_result": .string("Done and passed"),
      "manufacturer": .string("Acme"), "model": .string("Pro 1500"), "firmware": .string("2.1"),
      "driver": .string("usbhid-ups"), "description": .string("in the cellar"),
      "serial": .string("000127"),
    ]
    #expect(values.count == expected.count)
    for (key, value) in expected {
      #expect(values[key]?.status == .ok, "\(key): \(values[key]?.absence?.reason ?? "")")
      #expect(values[key]?.value == value, "\(key)")
    }
    #expect(Patience.wait { !desk.upsd.isOpen })
  }

  @Test func `V3: the raw text is at hand, with the variable it came from`() throws {
    let desk = try UPSDesk()
    desk.play(["ups.status": "OL", "battery.charge": "042.70"])
    let source = try desk.context.open("ups|rack")
    _ = try source.updateValues()
    let index = try #require(source.properties.firstIndex { $0.key == "level" })
    let raw = source.rawValue(ofPropertyAt: index)
    #expect(raw?.bytes == Array("042.70".utf8))
    #expect(raw?.place == "rack battery.charge")
  }

  @Test func `what is not reported is unsupported, what is empty has no data`() throws {
    let desk = try UPSDesk()
    desk.upsd.list(("rack", "Description unavailable"))
    desk.upsd.set("rack", ["ups.alarm": " ", "ups.mfr": ""])
    let values = try desk.read()
    for (key, value) in values {
      let isEmpty = ["alarm", "manufacturer", "description"].contains(key)
      #expect(value.status == (isEmpty ? .noData : .unsupported), "\(key)")
      #expect(value.absence?.reason.isEmpty == false, "\(key)")
    }
    #expect(values["level"]?.absence?.reason == "the UPS does not report battery.charge")
  }

  @Test(arguments: [
    "42,7", "4e1", "42 %", "0x2a", "nan", "inf", "1..2", "4-2", "-5", "100.1", "+", ".", "-",
    String(repeating: "9", count: 400), "4\u{7}2", "4\u{FFFD}",
  ])
  func `a number that is no plain decimal from 0 to 100 is an error, and costs itself`(
    text: String
  ) throws {
    let desk = try UPSDesk()
    desk.play(["ups.status": "OL", "battery.charge": text, "ups.load": "12"])
    let values = try desk.read()
    #expect(values["level"]?.status == .failed)
    #expect(values["level"]?.absence?.reason.isEmpty == false)
    #expect(values["load"]?.value == .double(0.12))
    #expect(values["state"]?.value == .string("online"))
  }

  @Test(arguments: [("0042", 0.42), ("100", 1), ("0", 0), ("99.95", 0.9995), ("000.5", 0.005)])
  func `leading zeros are no octal`(text: String, level: Double) throws {
    let desk = try UPSDesk()
    desk.play(["battery.charge": text])
    #expect(try desk.read()["level"]?.value == .double(level))
  }

  @Test(arguments: [
    ("OL", "online"), ("OL CHRG", "online"), ("OB DISCHRG", "on_battery"), ("OL OB", "on_battery"),
    ("CAL OL", "calibrating"), ("OL BYPASS", "bypass"), ("OFF OL BYPASS", "off"),
    ("WAIT", "unknown"), ("FSD OB LB", "on_battery"), ("OLX", "unknown"), ("ol", "unknown"),
    ("ALARM OL", "online"),
  ])
  func `the state is the first word that counts`(status: String, state: String) throws {
    let desk = try UPSDesk()
    desk.play(["ups.status": status])
    let values = try desk.read()
    #expect(values["state"]?.value == .string(state))
    #expect(values["status"]?.value == .string(status))
    let hasFlag = status.contains("CHRG") && !status.contains("DISCHRG")
    if state == "unknown" {
      #expect(values["charging"]?.status == .noData)
    } else {
      #expect(values["charging"]?.value == .bool(hasFlag))
      #expect(values["forced_shutdown"]?.value == .bool(status.contains("FSD")))
    }
  }

  @Test(arguments: [
    ("OL", "0", ValueStatus.noData), ("OL", "-1", .noData), ("OB", "0", .ok), ("OB", "-1", .noData),
    ("OL", "12", .ok), ("OB", "x", .failed),
  ])
  func `no runtime is a sentinel while the mains is there`(
    status: String, runtime: String, expected: ValueStatus
  ) throws {
    let desk = try UPSDesk()
    desk.play(["ups.status": status, "battery.runtime": runtime])
    #expect(try desk.read()["runtime"]?.status == expected)
  }

  @Test func `power is estimated from the load where it is not reported`() throws {
    let desk = try UPSDesk()
    desk.play([
      "ups.load": "20", "ups.realpower.nominal": "900", "ups.power.nominal": "1,5",
    ])
    let values = try desk.read()
    #expect(values["real_power"]?.value == .double(180))
    #expect(values["real_power"]?.flags.contains(.lowAccuracy) == true)
    #expect(values["apparent_power"]?.status == .unsupported)
  }

  @Test func `P1: description and serial need their categories`() throws {
    let desk = try UPSDesk(allow: .none)
    desk.play(["device.serial": "000127"])
    let values = try desk.read()
    #expect(values["description"]?.status == .permission)
    #expect(values["serial"]?.status == .permission)
    for value in values.values {
      #expect(value.absence?.reason.contains("cellar") != true)
      #expect(value.value.text?.contains("000127") != true)
    }
  }

  @Test func `C3: a tree has no upsd, and says how it gets one`() throws {
    let fixture = try FixtureMachine()
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [UPS()])
    #expect(try context.sources(of: "ups").isEmpty)
    let source = try context.open("ups")
    #expect(source.availability.state == .serviceNotRunning)
    #expect(source.availability.remedy == "name one in the context with nut=HOST:PORT")
  }

  @Test func `C3: a tree whose context names an upsd has its devices`() throws {
    let desk = try UPSDesk(nature: .captured)
    desk.play()
    #expect(try desk.read()["level"]?.value == .double(1))
  }

  @Test func `the simulated UPS of the laptop fails for 20 s of each ten minutes`() throws {
    let context = try Context.open(
      "sim:laptop&clock=manual", allow: .all, mode: .host, catalogue: [UPS()])
    let source = try context.open("ups")
    var states: [String] = []
    for second in stride(from: Int64(5), to: 1200, by: 10) {
      try context.seek(to: second * 1_000_000_000)
      states.append(try source.updateValues()[0].value.text ?? "")
    }
    #expect(states.count { $0 == "on_battery" } == 4)
    #expect(states.count { $0 == "online" } == 116)
    let phone = try Context.open(
      "sim:phone&clock=manual", allow: .all, mode: .host, catalogue: [UPS()])
    let samples = try phone.open("ups").updateValues()
    #expect(samples.allSatisfy { $0.status == .noData })
    #expect(samples.first?.absence?.reason == "nothing listens on 127.0.0.1:3493")
  }
}
