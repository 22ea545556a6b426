import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct TemperatureTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Temperature(), machine: machine.with(files: files)), files)
  }

  @Test func `chips are named by driver and place; zones and batteries are not listed again`()
    throws
  {
    #expect(
      try harness("power-laptop").0.names == [
        "nvme.pci-0000:02:00.0:temp1", "thinkpad:temp1", "coretemp.coretemp.0:temp1",
        "coretemp.coretemp.0:temp2", "coretemp.coretemp.0:temp10",
      ])
  }

  @Test func `two sockets are told apart by place, chips without one by number`() throws {
    let server = try harness("power-server").0
    #expect(server.names[1] == "coretemp.coretemp.0:temp2")
    #expect(server.names[3] == "coretemp.coretemp.1:temp2")
    #expect(try server.read(server.names[1]).payload("temperature") == .double(52))
    #expect(try server.read(server.names[3]).payload("temperature") == .double(62))
    #expect(try server.read(server.names[3]).text("label") == "Core 0")
    let hostile = try harness("power-hostile").0
    #expect(hostile.names == ["hwmon0:temp1", "twin:temp1", "twin:temp1~2"])
    #expect(hostile.instance("twin:temp1~2")?.aliases == ["hwmon2:temp1"])
  }

  @Test func `every file of a sensor reaches its own property`() throws {
    let found = try harness("power-laptop").0.read("nvme.pci-0000:02:00.0:temp1")
    let payloads: [String: Value] = [
      "temperature": .double(36.85), "high": .double(81.85), "critical": .double(84.85),
      "role": .string("chip"), "fault": .bool(false), "acquisition": .string("poll"),
      "driver": .string("nvme"), "label": .string("Composite"), "location": .string("unknown"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    #expect(found.status("sampling_frequency") == .unsupported)
  }

  @Test func `ambient channels of IIO come first, then other channels, then chips`() throws {
    let phone = try harness("sensors-phone").0
    #expect(
      phone.names == [
        "mlx90614.2-005a.temp_ambient", "bme280.1-0076.temp", "mlx90614.2-005a.temp_object",
        "sht3x.2-0044:temp1",
      ])
    #expect(phone.instance("bme280.1-0076.temp")?.aliases == ["iio:device0.temp"])
    let roles = try phone.names.map { try phone.read($0).text("role") }
    #expect(roles == ["ambient", "chip", "object", "chip"])
    #expect(
      try harness("sensors-several").0.names == [
        "hdc1010.4-0040.temp", "bmp280.1-0076.temp", "sht3x.5-0044:temp1", "sht3x.5-0045:temp1",
      ])
  }

  @Test func `every file of a channel reaches its own property`() throws {
    let phone = try harness("sensors-phone").0
    let found = try phone.read("mlx90614.2-005a.temp_ambient")
    #expect(abs(try #require(found.double("temperature")) - 21.67) < 1e-9)
    #expect(found.text("driver") == "mlx90614")
    #expect(found.text("acquisition") == "poll")
    #expect(found.text("location") == "unknown")
    for key in ["high", "critical", "fault", "label", "sampling_frequency"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
    #expect(try phone.read("bme280.1-0076.temp").double("temperature") == 23.45)
    let object = try phone.read("iio:device3.temp_object")
    #expect(abs(try #require(object.double("temperature")) - 36.65) < 1e-9)
    #expect(phone.instance("iio:device3.temp_object") == nil)
    #expect(
      phone.instance("mlx90614.2-005a.temp_object")?.properties?[0].resolution == 0.02)
  }

  @Test func `V6: a channel below absolute zero has nothing to say`() throws {
    let (phone, files) = try harness("sensors-phone")
    files.write("-300000\n", to: "/sys/bus/iio/devices/iio:device0/in_temp_input")
    #expect(try phone.read("bme280.1-0076.temp").status("temperature") == .noData)
  }

  @Test func `limits of zero and less are none`() throws {
    let found = try harness("power-laptop").0.read("coretemp.coretemp.0:temp2")
    #expect(found.status("high") == .noData)
    #expect(found.status("critical") == .noData)
    #expect(found.status("fault") == .unsupported)
  }

  @Test func `a sensor with a fault has no temperature`() throws {
    let found = try harness("power-hostile").0.read("hwmon0:temp1")
    #expect(found.payload("fault") == .bool(true))
    #expect(found.status("temperature") == .failed)
    #expect(found.status("driver") == .unsupported)
  }

  @Test func `a sensor that is not ready has nothing to say`() throws {
    let (harness, files) = try harness("power-laptop")
    files.alter("/sys/class/hwmon/hwmon2/temp1_input", .failing(11))
    let found = try harness.read("nvme.pci-0000:02:00.0:temp1")
    #expect(found.status("temperature") == .noData)
    #expect(found["temperature"]?.absence?.errno == 11)
    #expect(found.payload("high") == .double(81.85))
  }

  @Test func `N7: what the kernel counts is no part of a place`() {
    #expect(PersistentPath.withoutCounter("HID-SENSOR-200073.4.auto") == "HID-SENSOR-200073")
    #expect(PersistentPath.withoutCounter("0003:046D:C52B.0004") == "0003:046D:C52B")
    #expect(PersistentPath.withoutCounter("coretemp.0") == "coretemp.0")
    #expect(PersistentPath.withoutCounter("1-0048") == "1-0048")
  }

  @Test func `a machine without the class has no hardware`() throws {
    let (harness, files) = try harness("power-laptop")
    files.alter("/sys/class/hwmon", .missing)
    let discovery = harness.discover()
    #expect(discovery.instances.isEmpty)
    #expect(discovery.absence.state == .noHardware)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    try expectOnlyOwnValuesChange(
      Temperature(), on: machine(named: "power-server"), instance: "coretemp.coretemp.0:temp1",
      files: [
        "/sys/class/hwmon/hwmon1/temp1_input": HostileFile(
          own: ["temperature"], decidesInstance: true),
        "/sys/class/hwmon/hwmon1/temp1_label": HostileFile(own: ["label"]),
        "/sys/class/hwmon/hwmon1/name": HostileFile(own: ["driver"], decidesInstance: true),
      ],
      ignoring: [
        "temp2_label", "/sys/class/hwmon/hwmon2/temp1_label", "/sys/class/hwmon/hwmon2/name",
      ])
    let iio = "/sys/bus/iio/devices/iio:device3"
    try expectOnlyOwnValuesChange(
      Temperature(), on: machine(named: "sensors-phone"), instance: "iio:device3.temp_ambient",
      files: [
        "in_temp_ambient_raw": HostileFile(own: ["temperature"], decidesInstance: true),
        "\(iio)/in_temp_offset": HostileFile(derived: ["temperature"]),
        "\(iio)/in_temp_scale": HostileFile(derived: ["temperature"]),
        "\(iio)/name": HostileFile(own: ["driver"]),
        "dev": HostileFile(),
      ],
      ignoring: namesOfDevices(besides: 3).union(namesOfChips(besides: nil))
        .union(["temp1_label", "in_temp_object_raw"]))
    try expectOnlyOwnValuesChange(
      Temperature(), on: machine(named: "power-laptop"), instance: "nvme.pci-0000:02:00.0:temp1",
      files: [
        "temp1_input": HostileFile(own: ["temperature"], decidesInstance: true),
        "temp1_max": HostileFile(own: ["high"]),
        "temp1_crit": HostileFile(own: ["critical"]),
        "temp1_fault": HostileFile(own: ["fault"], derived: ["temperature"]),
        "/sys/class/hwmon/hwmon2/temp1_label": HostileFile(own: ["label"]),
        "/sys/class/hwmon/hwmon2/name": HostileFile(own: ["driver"], decidesInstance: true),
      ],
      ignoring: [
        "temp2_label", "/sys/class/hwmon/hwmon10/temp1_label", "/sys/class/hwmon/hwmon10/name",
        "/sys/class/hwmon/hwmon4/name", "/sys/class/hwmon/hwmon0/name",
      ])
  }
}
