import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct HumidityTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Humidity(), machine: machine.with(files: files)), files)
  }

  @Test func `chips of IIO come before those of the monitoring class`() throws {
    #expect(try harness("sensors-phone").0.names == ["bme280.1-0076", "sht3x.2-0044"])
    let several = try harness("sensors-several").0
    #expect(several.names == ["hdc1010.4-0040", "sht3x.5-0044", "sht3x.5-0045"])
    #expect(several.instance("sht3x.5-0045")?.aliases == ["hwmon1"])
  }

  @Test func `every file of a chip reaches its own property`() throws {
    let found = try harness("sensors-phone").0.read("bme280.1-0076")
    let payloads: [String: Value] = [
      "relative_humidity": .double(45.125), "temperature": .double(23.45),
      "acquisition": .string("poll"), "driver": .string("bme280"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    let chip = try harness("sensors-phone").0.read("sht3x.2-0044")
    let others: [String: Value] = [
      "relative_humidity": .double(48.25), "temperature": .double(21.87),
      "acquisition": .string("poll"), "driver": .string("sht3x"), "location": .string("unknown"),
    ]
    for (key, payload) in others { #expect(chip.payload(key) == payload, "\(key)") }
    #expect(chip.status("label") == .unsupported)
    #expect(chip.status("sampling_frequency") == .unsupported)
  }

  @Test func `raw counts are offset before they are scaled`() throws {
    let found = try harness("sensors-several").0.read("hdc1010.4-0040")
    let humidity = 32768 * 1.525878 / 1000
    let temperature = (26000 - 15887.515151) * 2.5177 / 1000
    #expect(abs(try #require(found.double("relative_humidity")) - humidity) < 1e-9)
    #expect(abs(try #require(found.double("temperature")) - temperature) < 1e-9)
  }

  @Test func `V7: a humidity there is none of is an error, below zero and above a hundred`() throws
  {
    let hostile = try harness("sensors-hostile").0
    #expect(hostile.names.count == 2)
    for name in hostile.names {
      #expect(try hostile.read(name).status("relative_humidity") == .failed, "\(name)")
    }
  }

  @Test func `H3: a chip known to IIO is not listed again by the monitoring class`() throws {
    let (harness, _) = try harness("power-laptop")
    #expect(harness.names.isEmpty)
    #expect(harness.discover().absence.backend == "iio")
    let phone = try self.harness("sensors-phone").0
    let parents = IIODevice.parents(of: phone.discover().instances, on: phone.machine)
    #expect(parents.contains("/sys/devices/platform/soc/i2c-1/1-0076"))
    let chips = MonitorChip.all(
      on: phone.machine.files, besides: ["/sys/devices/platform/soc/i2c-2/2-0044"])
    #expect(chips.isEmpty)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let iio = "/sys/bus/iio/devices/iio:device0"
    try expectOnlyOwnValuesChange(
      Humidity(), on: machine(named: "sensors-phone"), instance: "iio:device0",
      files: [
        "in_humidityrelative_input": HostileFile(
          own: ["relative_humidity"], decidesInstance: true),
        "in_temp_input": HostileFile(own: ["temperature"]),
        "\(iio)/name": HostileFile(own: ["driver"]),
        "dev": HostileFile(),
      ],
      ignoring: namesOfDevices(besides: 0).union(namesOfChips(besides: nil)))
    try expectOnlyOwnValuesChange(
      Humidity(), on: machine(named: "sensors-phone"), instance: "hwmon0",
      files: [
        "humidity1_input": HostileFile(own: ["relative_humidity"], decidesInstance: true),
        "temp1_input": HostileFile(own: ["temperature"]),
        "/sys/class/hwmon/hwmon0/name": HostileFile(own: ["driver"], decidesInstance: true),
      ],
      ignoring: namesOfDevices(besides: nil))
  }
}
