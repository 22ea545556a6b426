import GatheredKitTesting
import Ground
import Testing
import Values

@testable import Gathering
@testable import SourceKinds

/// Instances that have properties of their own, and sessions opened before they were there
/// (sources N5, V1).
@Suite struct OwnPropertiesTests {
  private static let late = """
    1 add iio|one
    1 set iio|one/voltage0 1.5
    2 remove iio|one
    3 add iio|one
    3 set iio|one/voltage0 2.5
    """

  @Test(arguments: ["iio", "iio|one"])
  func `N5 a source takes the list of the instance it was opened before`(id: String) throws {
    let sim = try ScriptedContext(Self.late)
    let source = try sim.open(id)
    let diary = Diary(source)
    let count = IIO().properties.count
    #expect(source.properties == IIO().properties)
    #expect(try source.updateValues().count == count)
    #expect(throws: SourceError.self) { try source.startUpdating() }
    _ = diary.take()
    try sim.seek(1)
    #expect(diary.words() == ["availability:available"])
    #expect(source.id.description == "iio|one")
    #expect(source.properties.map(\.key) == ["voltage0"] + IIO().properties.map(\.key))
    #expect(source.allValues.count == count + 1)
    try source.startUpdating(every: second / 10)
    try sim.seek(1.5)
    #expect(source.value("voltage0").payload == .double(1.5))
    try sim.seek(2)
    #expect(source.value("voltage0").status == .noData)
    try sim.seek(3)
    #expect(source.value("voltage0").payload == .double(2.5))
    #expect(diary.updates().allSatisfy { $0.samples.count == count + 1 })
  }

  @Test func `N5 a stream of a property follows it to its new place`() throws {
    let sim = try ScriptedContext(Self.late + "\n3 set iio|one/driver \"late\"")
    let source = try sim.open("iio")
    let stream = try DynamicStream.property("driver", of: source)
    let former = try #require(stream.origin?.property)
    #expect(former == source.index("driver"))
    let heard = Lock<[Value]>([])
    let connection = try stream.subscribe(
      DynamicStream.Subscriber { sample in
        if sample.status == .ok { heard.withLock { $0.append(sample.value) } }
      })
    try sim.seek(1)
    try source.startUpdating(every: second / 10)
    try sim.seek(4)
    #expect(heard.withLock(\.self) == [.string("late")])
    #expect(stream.origin?.property == former + 1)
    connection.end()
  }

  @Test(arguments: ["accelerometer", "accelerometer|bmi160"])
  func `N5 ranges are the instance's, and what was set before it came stays`(id: String) throws {
    let device = "/sys/bus/iio/devices/iio:device0"
    let fixture = try FixtureMachine(["/sys/bus/iio/devices/": ""])
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [Accelerometer()])
    let source = try context.open(id)
    let acceleration = source.index("acceleration")
    let inverted = source.index("inverted")
    try source.set(.bool(true), ofPropertyAt: inverted)
    try source.updateValuesInPlace()
    #expect(source.value("acceleration").status == .noData)
    for (name, text) in [
      ("name", "bmi160"), ("in_accel_x_raw", "1"), ("in_accel_y_raw", "2"),
      ("in_accel_z_raw", "3"), ("in_accel_scale", "0.5"),
    ] {
      try fixture.write(text + "\n", to: "\(device)/\(name)")
    }
    try context.rescan()
    #expect(source.availability.state == .available)
    #expect(source.properties[acceleration].resolution == 0.5)
    #expect(source.value("inverted").payload == .bool(true))
    try source.updateValuesInPlace()
    #expect(source.value("acceleration").status == .ok)
    #expect(source.value("inverted").payload == .bool(true))
    #expect(source.value("acceleration").flags.contains(.isNew))
    try context.close()
  }

  @Test func `N5 a setting follows its property to another place`() throws {
    let list = Accelerometer().properties
    let session = SessionState(
      number: 1, kindIndex: 0, kind: Accelerometer(),
      id: try SourceIdentifier(kind: "accelerometer"), properties: list,
      availability: Availability(.noHardware), isHostMode: false)
    let now = Instant(boot: 1, realtime: 1)
    session.set(.bool(true), ofPropertyAt: 4, at: now)
    session.adopt([Property("more", .double, .onChange)] + list)
    #expect(session.facts.settings == [5: .bool(true)])
    #expect(session.owned == [5])
    #expect(session.values[5].payload == .bool(true) && session.values[4] == .notRead)
    session.adopt(list.filter { $0.key != "inverted" })
    #expect(session.facts.settings.isEmpty && session.owned.isEmpty)
  }

  @Test func `V1 a name that comes back with other properties is another instance`() throws {
    let device = "/sys/bus/iio/devices/iio:device0"
    let fixture = try FixtureMachine([
      "\(device)/name": "adc\n", "\(device)/in_voltage0_raw": "7\n",
    ])
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [IIO()])
    let source = try context.open("iio|adc")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try context.seek(to: second)
    _ = diary.take()
    try fixture.write("8\n", to: "\(device)/in_voltage1_raw")
    try context.rescan()
    #expect(diary.words() == ["availability:disconnected", "update"])
    #expect(source.availability.remedy == "open it again")
    #expect(source.value("voltage0").status == .noData)
    try context.seek(to: 3 * second)
    let again = try context.open("iio|adc")
    #expect(again.properties.count == source.properties.count + 1)
    try again.startUpdating(every: second)
    try context.seek(to: 4 * second)
    #expect(again.value("voltage1").status == .ok)
    #expect(source.value("voltage0").status == .noData)
  }
}
