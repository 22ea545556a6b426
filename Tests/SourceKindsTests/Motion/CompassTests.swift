import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

@Suite struct CompassTests {
  private typealias Field = Compass.Field

  private func read(_ fixture: FixtureMachine) throws -> [String: Outcome] {
    let harness = KindHarness(Compass(), machine: fixture.machine)
    return try harness.read(try #require(harness.names.first))
  }

  @Test func `with a gyroscope on the chip headings are fused, without one compensated`() throws {
    let east = MotionChips.still.merging(["magn": [-20, 0, -44]]) { $1 }
    let fused = try read(MotionChips.machine(east))
    #expect(fused.text("method") == "fusion")
    #expect(abs((fused.double("magnetic_heading") ?? 0) - 90) < 1e-6)
    let tilted = try read(MotionChips.machine(east.filter { $0.key != "anglvel" }))
    #expect(tilted.text("method") == "tilt_compensated")
    #expect(abs((tilted.double("magnetic_heading") ?? 0) - 90) < 1e-9)
    #expect(tilted.double("accuracy") == 1)
    #expect(tilted.status("true_heading") == .noData && tilted.status("declination") == .noData)
  }

  @Test func `a heading of the hardware is taken only within a turn`() throws {
    let name = "in_rot_from_north_magnetic_tilt_comp_raw"
    let fixture = try MotionChips.machine(
      ["magn": [0, 20, -44]], more: [name: "123.5\n"])
    #expect(try read(fixture).double("magnetic_heading") == 123.5)
    #expect(try read(fixture).text("method") == "hardware")
    try fixture.write("12350\n", to: "\(MotionChips.path)/\(name)")
    #expect(try read(fixture).status("magnetic_heading") == .noData)
  }

  @Test func `a heading of the hardware waits for no accelerometer`() throws {
    let scans = FakeScans()
    let diary = SampleDiary()
    let name = "in_rot_from_north_magnetic_tilt_comp"
    let fixture = try MotionChips.machine(
      ["magn": [0, 20, -44]],
      more: ["\(name)_raw": "90\n", "scan_elements/\(name)_en": "1\n"])
    let stream = try scans.stream(Compass(), on: fixture, to: diary)
    defer { stream.cancel() }
    scans.bring([[90], [91]], at: [10_000_000, 20_000_000])
    #expect(diary.numbers(Field.magneticHeading.rawValue) == [90, 91])
    #expect(diary.blocks.last?.condition == nil)
  }

  @Test func `within 5 degrees of a vertical top there is no heading`() throws {
    var axes = MotionChips.still.filter { $0.key != "anglvel" }
    axes["accel"] = [0, 9.8, 0.5]
    #expect(try read(MotionChips.machine(axes)).status("magnetic_heading") == .noData)
    axes["accel"] = [0, 9.8, 1]
    #expect(try read(MotionChips.machine(axes)).status("magnetic_heading") == .ok)
  }

  private static let noUp = "the accelerometer measures nothing: free fall or no data"
  private static let noNorth = "the magnetometer measures nothing: no data"

  @Test(arguments: ["accel", "magn", "both"], [true, false])
  func `exact zeros are no heading, polled`(dead: String, isFused: Bool) throws {
    var axes = MotionChips.still.filter { isFused || $0.key != "anglvel" }
    for type in ["accel", "magn"] where dead == type || dead == "both" { axes[type] = [0, 0, 0] }
    let found = try read(MotionChips.machine(axes))
    #expect(found.text("method") == (isFused ? "fusion" : "tilt_compensated"))
    for key in ["magnetic_heading", "accuracy"] {
      #expect(found.status(key) == .noData)
      #expect(found.reason(key) == (dead == "magn" ? Self.noNorth : Self.noUp))
    }
    #expect(found.status("true_heading") == .noData)
  }

  @Test(arguments: [true, false])
  func `exact zeros are no heading, streamed: their rows say so and no others`(isFused: Bool) throws
  {
    let scans = FakeScans()
    let diary = SampleDiary()
    let axes = MotionChips.still.filter { isFused || $0.key != "anglvel" }
    let fixture = try MotionChips.machine(axes)
    let stream = try scans.stream(Compass(), on: fixture, to: diary)
    defer { stream.cancel() }
    func row(_ up: Double, _ north: Double) -> [Double] {
      [0, 0, up] + (isFused ? [0, 0, 0.1] : []) + [0, north, -2.2 * north]
    }
    scans.bring(
      [row(9.8, 20), row(0, 20), row(0, 0), row(9.8, 0), row(9.8, 20)],
      at: (1...5).map { $0 * 10_000_000 })
    for field in [Field.magneticHeading, .accuracy] {
      let numbers = try #require(diary.numbers(field.rawValue))
      #expect(numbers.map(\.isFinite) == [true, false, false, false, true])
      #expect(diary.reasons(field.rawValue) == ["1 \(Self.noUp)", "3 \(Self.noNorth)"])
    }
    scans.bring([row(0, 20), row(9.8, 0)], at: [60_000_000, 70_000_000])
    guard case .runs(let runs) = diary.blocks.last?.columns[Field.magneticHeading.rawValue] else {
      Issue.record("numbers where there are none")
      return
    }
    #expect(runs.map(\.outcome.absence?.reason) == [Self.noUp, Self.noNorth])
  }

  @Test func `a declination belongs to the session that told it`() throws {
    let kind = Compass()
    var reading = Reading(properties: kind.properties.count)
    reading[Field.magneticHeading] = .ok(.double(355))
    let session = SessionFacts(settings: [Field.declination.rawValue: .double(10)])
    #expect(kind.adapts(to: session) && !kind.adapts(to: SessionFacts()))
    kind.adapt(&reading, to: session)
    #expect(reading[Field.trueHeading].number == 5)
    #expect(reading[Field.declination].number == 10)
    let bad = SessionFacts(settings: [Field.declination.rawValue: .double(.nan)])
    #expect(!kind.adapts(to: bad))
  }

  @Test func `a magnetometer alone has no heading and says so`() throws {
    let fixture = try MotionChips.machine(["magn": [0, 20, -44]])
    let kind = Compass()
    let instance = try #require(kind.discover(on: fixture.machine).instances.first)
    #expect(instance.availability.state == .noHardware)
    #expect(throws: SourceError.self) { try kind.open(instance, on: fixture.machine) }
  }
}
