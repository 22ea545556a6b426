import Gathering
import GatheredKitTesting
import Machine
import Testing

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

  @Test func `within 5 degrees of a vertical top there is no heading`() throws {
    var axes = MotionChips.still.filter { $0.key != "anglvel" }
    axes["accel"] = [0, 9.8, 0.5]
    #expect(try read(MotionChips.machine(axes)).status("magnetic_heading") == .noData)
    axes["accel"] = [0, 9.8, 1]
    #expect(try read(MotionChips.machine(axes)).status("magnetic_heading") == .ok)
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
