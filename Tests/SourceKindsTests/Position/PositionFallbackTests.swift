import GatheredKitTesting
import Gathering
import Ground
import Motion
import Testing
import Values

@testable import SourceKinds

/// What stands in for a barometer and a magnetometer where a gps source updates.
@Suite struct PositionFallbackTests {
  private let desk: ReceiverDesk

  init() throws { desk = try ReceiverDesk(kinds: [GPS(), Altimeter(), Compass()]) }

  private func startReceiver(_ line: String) throws -> Source {
    let gps = try desk.open("gps")
    try gps.startUpdating(every: 1_000_000_000)
    desk.link.say(line)
    desk.settle()
    return gps
  }

  @Test func `without a barometer the altitude of an updating gps source is told`() throws {
    let altimeter = try desk.open("altimeter")
    #expect(altimeter.id.description == "altimeter|gps")
    #expect(altimeter.availability.state == .searching)
    #expect(try altimeter.updateValues()[2].status == .noData)
    // It starts no receiver by itself.
    #expect(desk.link.openings == 0)
    let gps = try startReceiver(.fix(second: 1))
    _ = try altimeter.updateValues()
    let values = desk.values(of: altimeter)
    #expect(values["altitude"]?.value == .double(545.4))
    #expect(values["driver"]?.value == .string("gps"))
    for key in ["pressure", "pressure_altitude", "relative_altitude", "temperature"] {
      #expect(values[key]?.status == .unsupported, "\(key)")
    }
    try gps.stopUpdating()
    #expect(try altimeter.updateValues()[2].status == .noData)
  }

  @Test func `without a magnetometer the course is the heading, while moving`() throws {
    let compass = try desk.open("compass")
    #expect(compass.id.description == "compass|gps")
    let moving =
      #"{"class":"TPV","device":"/dev/ttyS0","mode":3,"lat":48,"lon":11,"track":90,"speed":5,"#
      + #""epd":3}"#
    let gps = try startReceiver(moving)
    try compass.set(.double(4), ofPropertyAt: Compass.Field.declination.rawValue)
    _ = try compass.updateValues()
    var values = desk.values(of: compass)
    #expect(values["true_heading"]?.value == .double(90))
    #expect(values["magnetic_heading"]?.value == .double(86))
    #expect(values["accuracy"]?.value == .double(3))
    #expect(values["method"]?.value == .string("course"))
    desk.link.say(moving.replacing("\"speed\":5", with: "\"speed\":0.5"))
    desk.settle()
    _ = try compass.updateValues()
    values = desk.values(of: compass)
    #expect(values["true_heading"]?.status == .noData)
    #expect(values["magnetic_heading"]?.status == .noData)
    try gps.stopUpdating()
  }

  @Test func `the declination is the model's at the position, within its years`() throws {
    let position = PresentPosition(on: desk.fixture.machine)
    #expect(position.declination() == nil)
    let gps = try startReceiver(.fix(second: 1))
    // The clock of this machine shows a year before the model's.
    #expect(position.isKnown)
    #expect(position.declination() == nil)
    let year = 1_782_043_202_500_000_000 as Int64
    let there = try #require(position.declination(at: year))
    let wanted = MagneticModel.field(
      latitude: 48.1173, longitude: 11.5, height: 592.3, year: PresentPosition.year(of: year))
    #expect(abs(there - (wanted?.declination ?? .nan)) < 1e-9)
    #expect((3.0...6.0).contains(there))
    #expect(abs(PresentPosition.year(of: 1_735_689_600_000_000_000) - 2025) < 0.01)
    try gps.stopUpdating()
    #expect(position.declination(at: year) == nil)
  }
}
