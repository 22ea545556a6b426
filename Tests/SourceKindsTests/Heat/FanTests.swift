import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct FanTests {
  private func harness() throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: "desktop-fans")
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Fan(), machine: machine.with(files: files)), files)
  }

  @Test func `measured fans come first, then outputs without a tachometer`() throws {
    #expect(
      try harness().0.names == [
        "nct6798.nct6775.656:fan1", "nct6798.nct6775.656:fan2", "nct6798.nct6775.656:fan3",
        "nct6798.nct6775.656:fan10", "dell_smm.dell_smm_hwmon:fan1",
        "dell_smm.dell_smm_hwmon:fan2", "max31790.1-0020:fan1", "max31790.1-0020:fan2",
        "pwmfan.pwm-fan:pwm1",
      ])
    let fans = try harness().0
    #expect(fans.instance("dell_smm.dell_smm_hwmon:fan1")?.label == "dell_smm Processor Fan")
    #expect(fans.instance("nct6798.nct6775.656:fan2")?.label == "nct6798 fan2")
    #expect(fans.instance("pwmfan.pwm-fan:pwm1")?.aliases == ["hwmon2:pwm1"])
  }

  @Test func `every file of a fan reaches its own property`() throws {
    let fans = try harness().0
    let board = try fans.read("nct6798.nct6775.656:fan1")
    #expect(board.payload("speed") == .double(1180))
    #expect(board.payload("minimum") == .double(300))
    #expect(board.status("maximum") == .unsupported)
    #expect(board.payload("duty") == .double(0.4))
    #expect(board.text("control") == "automatic")
    #expect(board.payload("alarm") == .bool(false))
    #expect(board.status("fault") == .unsupported)
    #expect(board.text("driver") == "nct6798")
    #expect(board.status("label") == .unsupported)
    let laptop = try fans.read("dell_smm.dell_smm_hwmon:fan1")
    #expect(laptop.payload("maximum") == .double(4900))
    #expect(laptop.payload("target") == .double(0))
    #expect(laptop.status("minimum") == .noData)
    #expect(laptop.text("control") == "full_speed")
    #expect(laptop.text("label") == "Processor Fan")
  }

  @Test func `catalogue 13.3: 0 is a fan that stands, and a faulty one has no speed`() throws {
    let fans = try harness().0
    #expect(try fans.read("nct6798.nct6775.656:fan2").payload("speed") == .double(0))
    #expect(try fans.read("max31790.1-0020:fan2").payload("speed") == .double(0))
    let faulty = try fans.read("max31790.1-0020:fan1")
    #expect(faulty.payload("fault") == .bool(true))
    #expect(faulty.status("speed") == .failed)
  }

  @Test func `catalogue 13.3: 65535 is no reading, and no fan turns 40000 times a minute`() throws {
    let fans = try harness().0
    #expect(try fans.read("nct6798.nct6775.656:fan10").status("speed") == .noData)
    let video = try fans.read("dell_smm.dell_smm_hwmon:fan2")
    #expect(video["speed"]?.absence?.reason == "40000 r/min is implausible")
  }

  @Test func `catalogue 12: a chip has one alarm, or one a limit`() throws {
    let (fans, files) = try harness()
    #expect(try fans.read("nct6798.nct6775.656:fan3").payload("alarm") == .bool(true))
    #expect(try fans.read("max31790.1-0020:fan1").payload("alarm") == .bool(true))
    let raw = try fans.raw("max31790.1-0020:fan1", "alarm")
    #expect(raw?.place == "/sys/class/hwmon/hwmon3/fan1_max_alarm" && raw?.bytes == [0x31, 0x0A])
    #expect(try fans.read("max31790.1-0020:fan2").payload("alarm") == .bool(false))
    #expect(try fans.read("dell_smm.dell_smm_hwmon:fan1").status("alarm") == .unsupported)
    files.alter("/sys/class/hwmon/hwmon3/fan1_max_alarm", .failing(5))
    #expect(try fans.read("max31790.1-0020:fan1").status("alarm") == .failed)
  }

  @Test func `an output without a tachometer has a duty and no speed`() throws {
    let (fans, files) = try harness()
    let fan = try fans.read("pwmfan.pwm-fan:pwm1")
    #expect(fan.status("speed") == .unsupported)
    #expect(abs(try #require(fan.double("duty")) - 77.0 / 255) < 1e-12)
    #expect(fan.text("control") == "automatic")
    for text in ["256\n", "-1\n", "full\n"] {
      files.write(text, to: "/sys/class/hwmon/hwmon2/pwm1")
      #expect(try fans.read("pwmfan.pwm-fan:pwm1").status("duty") == .failed, "\(text)")
    }
  }

  @Test func `a fan that cannot be read now has nothing to say`() throws {
    let (fans, files) = try harness()
    for code: Int32 in [11, 61] {
      files.alter("/sys/class/hwmon/hwmon0/fan1_input", .failing(code))
      let found = try fans.read("nct6798.nct6775.656:fan1")
      #expect(found.status("speed") == .noData)
      #expect(found["speed"]?.absence?.errno == code)
      #expect(found.payload("minimum") == .double(300))
    }
  }

  @Test func `a machine without the class has no fans`() throws {
    let (fans, files) = try harness()
    files.alter("/sys/class/hwmon", .missing)
    #expect(fans.discover().instances.isEmpty)
    #expect(fans.discover().absence.state == .noHardware)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    try expectOnlyOwnValuesChange(
      Fan(), on: machine(named: "desktop-fans"), instance: "nct6798.nct6775.656:fan1",
      files: [
        "fan1_input": HostileFile(own: ["speed"], decidesInstance: true),
        "fan1_min": HostileFile(own: ["minimum"]),
        "pwm1": HostileFile(own: ["duty"]),
        "pwm1_enable": HostileFile(own: ["control"]),
        "fan1_alarm": HostileFile(own: ["alarm"]),
        "/sys/class/hwmon/hwmon0/name": HostileFile(own: ["driver"], decidesInstance: true),
      ],
      ignoring: [
        "/sys/class/hwmon/hwmon1/name", "/sys/class/hwmon/hwmon2/name",
        "/sys/class/hwmon/hwmon3/name", "fan1_label", "fan2_label",
      ])
  }
}
