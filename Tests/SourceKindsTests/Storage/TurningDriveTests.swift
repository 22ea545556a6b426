import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Drives that turn are left to spin down (catalogue G3).
@Suite struct TurningDriveTests {
  private static let hour: Int64 = 3_600_000_000_000
  private static let floor: Int64 = 1_200_000_000_000
  private static let minute: Int64 = 60_000_000_000
  private static let input =
    "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/hwmon/hwmon2/temp1_input"

  private static var folder: String {
    let parts = #filePath.split(separator: "/")
    let end = parts.lastIndex(of: "SourceKindsTests") ?? parts.endIndex
    return "/" + parts[..<end].joined(separator: "/") + "/Fixtures/machines/disks-desktop"
  }

  private func open(_ nature: Machine.Nature) throws -> (FixtureMachine, Context) {
    let fixture = try FixtureMachine(folder: Self.folder, nature: nature)
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, allow: .all,
      catalogue: [Disk(), Temperature()])
    return (fixture, context)
  }

  @Test(
    arguments: [
      ("disk|\(IdentifierGrammar.encoded(PlayedDisks.hardName))", floor),
      ("temperature|drivetemp.0:0:0:0:temp1", floor),
      ("disk|\(IdentifierGrammar.encoded(PlayedDisks.fastName))", minute),
      ("temperature|nvme.pci-0000:02:00.0:temp1", 250_000_000),
    ])
  func `G3 a drive that turns is read each 1200 s at the most, in both kinds`(
    id: String, floor: Int64
  ) throws {
    let (_, context) = try open(.live)
    let source = try context.open(id)
    try source.startUpdating(every: 1_000_000)
    #expect(source.rates.granted == floor)
    if floor == Self.floor {
      #expect(source.rates.reason == PollingFloor.ofTurningDrives.reason)
    }
    try context.close()
    // C5: floors protect devices, and a captured tree has none.
    let (_, tree) = try open(.captured)
    let other = try tree.open(id)
    try other.startUpdating(every: 1_000_000)
    #expect(other.rates.granted == 1_000_000)
    try tree.close()
  }

  @Test func `G3 neither the aggregate nor an event reads it more often`() throws {
    let live = try FixtureMachine(folder: Self.folder, nature: .live)
    let files = AlteredFiles(over: live.machine.files)
    for (nature, isKept) in [(Machine.Nature.live, true), (.captured, false)] {
      let machine = Machine(
        nature: nature, files: files, notices: nil, clock: live.machine.clock,
        switches: live.machine.switches, addresses: nil, iio: live.machine.iio)
      let kind = Disk()
      let instance = try #require(
        kind.discover(on: machine).instances.first { $0.name == PlayedDisks.hardName })
      let reader = try #require(try kind.open(instance, on: machine))
      var reading = Reading(properties: kind.properties.count)
      let path = "\(instance.notes["chip"] ?? "")/temp1_input"
      for (minutes, text, celsius) in [
        (0, "31000", 31.0), (1, "35000", isKept ? 31 : 35), (19, "36000", isKept ? 31 : 36),
        (20, "37000", 37), (39, "38000", isKept ? 37 : 38),
      ] {
        files.write("\(text)\n", to: path)
        let now = Int64(minutes) * Self.minute
        reading.instant = Instant(boot: now, realtime: now)
        reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
        let outcome = reading[Disk.Field.temperature]
        #expect(outcome.number == celsius, "\(nature) after \(minutes) min")
        let stamp = isKept ? (minutes < 20 ? 0 : 20 * Self.minute) : nil
        #expect(outcome.stamp == stamp, "\(nature) after \(minutes) min")
      }
      files.alter(path, nil)
    }
  }

  @Test func `V9 what was not read is carried with its time`() throws {
    let (_, context) = try open(.live)
    let hard = try context.open("disk|\(IdentifierGrammar.encoded(PlayedDisks.hardName))")
    try hard.startUpdating(every: Self.hour)
    let first = try hard.updateValues()
    try context.seek(to: Self.minute)
    let second = try hard.updateValues()
    let (temperature, size) = (Disk.Field.temperature.rawValue, Disk.Field.size.rawValue)
    #expect(second[temperature].payload == .double(31))
    #expect(second[temperature].time == first[temperature].time)
    #expect(second[size].time > first[size].time)
    try context.close()
  }
}
