import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct AltimeterTests {
  private static let folder = "/sys/bus/iio/devices/iio:device0"
  private let kind = Altimeter()

  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(kind, machine: machine.with(files: files)), files)
  }

  /// A reading of a pressure in pascal.
  private func reading(_ pressure: Double) -> Reading {
    var reading = Reading(properties: kind.properties.count)
    reading[Altimeter.Field.pressure] = .ok(.double(pressure))
    kind.derive(&reading)
    return reading
  }

  @Test func `chips are named by driver and place, the first is the default`() throws {
    #expect(try harness("sensors-phone").0.names == ["bme280.1-0076"])
    let several = try harness("sensors-several").0
    #expect(several.names == ["bmp280.1-0076", "bmp280.1-0077"])
    #expect(several.instance("bmp280.1-0077")?.aliases == ["iio:device1"])
    #expect(try harness("power-laptop").0.discover().absence.state == .noHardware)
  }

  @Test func `every file of a chip reaches its own property, in pascal and degrees`() throws {
    let found = try harness("sensors-phone").0.read("bme280.1-0076")
    let payloads: [String: Value] = [
      "pressure": .double(100_000), "temperature": .double(23.45), "acquisition": .string("poll"),
      "driver": .string("bme280"), "location": .string("unknown"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    #expect(abs(try #require(found.double("pressure_altitude")) - 110.885) < 0.001)
    for key in ["altitude", "relative_altitude", "sea_level_pressure"] {
      #expect(found.status(key) == .noData, "\(key)")
    }
    for key in ["label", "sampling_frequency"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
  }

  @Test func `raw counts and their scale are kilopascal, and tell the steps of all heights`() throws
  {
    let several = try harness("sensors-several").0
    let found = try several.read("bmp280.1-0077")
    #expect(abs(try #require(found.double("pressure")) - 89_874.6) < 1e-6)
    #expect(abs(try #require(found.double("pressure_altitude")) - 999.997) < 0.001)
    #expect(found.double("sampling_frequency") == 25)
    #expect(found.status("temperature") == .unsupported)
    let table = try #require(several.instance("bmp280.1-0077")?.properties)
    #expect(table[0].resolution.map { abs($0 - 0.001) < 1e-12 } == true)
    for index in 1...3 {
      #expect(table[index].resolution.map { abs($0 - 0.000_083) < 1e-12 } == true)
    }
    #expect(table[0].range == 30_000...120_000)
  }

  @Test(arguments: [
    ("101.325", 0), ("100", 110.885), ("89.8746", 999.997), ("54.0199", 5000.002),
  ])
  func `heights are those of the standard atmosphere`(_ text: String, _ height: Double) throws {
    let (harness, files) = try harness("sensors-phone")
    files.write("\(text)\n", to: "\(Self.folder)/in_pressure_input")
    let found = try harness.read("bme280.1-0076").double("pressure_altitude")
    #expect(abs(try #require(found) - height) < 0.002)
  }

  @Test(arguments: ["29.999", "120.001", "0", "-5"])
  func `V7: a pressure no air has is implausible, and so are the heights`(_ text: String) throws {
    let (harness, files) = try harness("sensors-phone")
    files.write("\(text)\n", to: "\(Self.folder)/in_pressure_input")
    let found = try harness.read("bme280.1-0076")
    for key in ["pressure", "pressure_altitude", "altitude", "relative_altitude"] {
      #expect(found.status(key) == .failed, "\(key)")
      #expect(found.reason(key)?.contains("implausible") == true, "\(key)")
    }
    #expect(found.double("temperature") == 23.45)
  }

  @Test func `the altitude is above the pressure a session has set`() {
    let index = Altimeter.Field.seaLevelPressure.rawValue
    let session = SessionFacts(settings: [index: .double(100_000)])
    #expect(kind.adapts(to: session))
    #expect(!kind.adapts(to: SessionFacts()))
    var reading = reading(100_000)
    kind.adapt(&reading, to: session)
    #expect(reading[Altimeter.Field.altitude].number == 0)
    #expect(reading[Altimeter.Field.seaLevelPressure].number == 100_000)
    #expect(reading[Altimeter.Field.relativeAltitude].status == .noData)
    var nonsense = self.reading(100_000)
    kind.adapt(&nonsense, to: SessionFacts(settings: [index: .double(0)]))
    #expect(nonsense[Altimeter.Field.altitude].status == .failed)
  }

  @Test func `the relative altitude begins at 0 and is the difference since the start`() {
    let first = reading(101_325)
    let session = SessionFacts(first: first)
    var start = first
    kind.adapt(&start, to: session)
    #expect(start[Altimeter.Field.relativeAltitude].number == 0)
    var later = reading(100_000)
    kind.adapt(&later, to: session)
    #expect(abs((later[Altimeter.Field.relativeAltitude].number ?? 0) - 110.885) < 0.001)
    #expect(later[Altimeter.Field.altitude].status == .noData)
    var implausible = reading(1)
    kind.adapt(&implausible, to: session)
    #expect(implausible[Altimeter.Field.relativeAltitude].status == .failed)
  }

  @Test func `rows of a stream have heights, and implausible ones have nothing`() throws {
    let fixture = try machine(named: "sensors-several")
    let scans = FakeScans()
    let machine = fixture.with(iio: fixture.iio.files, scans: scans)
    let instance = try #require(KindHarness(kind, machine: machine).instance("bmp280.1-0077"))
    let reader = try #require(try kind.open(instance, on: machine) as? any StreamingReader)
    let diary = SampleDiary()
    let stream = try reader.openStream(
      every: 10_000_000, on: VirtualLoop(clock: VirtualTime()), deliver: diary.take,
      ended: diary.end)
    #expect(scans.requests.last?.groups.map(\.channels) == [["pressure"]])
    scans.bring([[101_325_000], [1], [89_874_600]], at: [10, 20, 30])
    let pressures = try #require(diary.numbers(Altimeter.Field.pressure.rawValue))
    let heights = try #require(diary.numbers(Altimeter.Field.pressureAltitude.rawValue))
    #expect(abs(pressures[0] - 101_325) < 1e-6)
    #expect(pressures[1].isNaN && heights[1].isNaN)
    #expect(abs(heights[0]) < 1e-6)
    #expect(abs(heights[2] - 999.997) < 0.001)
    stream.cancel()
  }

  @Test func `V3: the raw text is the driver's, in kilopascal`() throws {
    let raw = try harness("sensors-phone").0.raw("bme280.1-0076", "pressure")
    #expect(raw == RawValue("100.000000000\n".utf8, place: "\(Self.folder)/in_pressure_input"))
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let heights = ["pressure_altitude", "altitude", "relative_altitude"]
    try expectOnlyOwnValuesChange(
      kind, on: machine(named: "sensors-phone"), instance: "iio:device0",
      files: [
        "in_pressure_input": HostileFile(
          own: ["pressure"], derived: heights, decidesInstance: true),
        "in_temp_input": HostileFile(own: ["temperature"]),
        "\(Self.folder)/name": HostileFile(own: ["driver"]),
        "dev": HostileFile(),
      ],
      ignoring: namesOfDevices(besides: 0))
  }
}
