import GatheredKitTesting
import Gathering
import Ground
import Motion
import Testing
import Values

@testable import SourceKinds

@Suite struct DeviceAttitudeTests {
  private typealias Field = DeviceAttitude.Field

  private func read(_ fixture: FixtureMachine) throws -> [String: Outcome] {
    let harness = KindHarness(DeviceAttitude(), machine: fixture.machine)
    return try harness.read(try #require(harness.names.first))
  }

  private func distance(_ outcome: [String: Outcome], _ expected: [Double]) -> Double {
    let found = outcome.payload("attitude")?.vector?.components ?? [.infinity]
    return zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test func `flat, level and heading north is no rotation`() throws {
    let found = try read(MotionChips.machine(MotionChips.still))
    #expect(distance(found, [1, 0, 0, 0]) < 1e-9)
    #expect(found.text("reference") == "magnetic_north")
    #expect(found.payload("inverted") == .bool(false))
    #expect(found.text("frame") == "sensor" && found.text("acquisition") == "poll")
    let gravity = try #require(found.payload("gravity")?.vector?.components)
    #expect(abs(gravity[2] - 9.80665) < 1e-9)
    let user = try #require(found.payload("user_acceleration")?.vector?.components)
    #expect(user.allSatisfy { abs($0) < 1e-9 })
  }

  @Test func `without a magnetometer the heading is arbitrary, without a gyroscope there is none`()
    throws
  {
    let six = MotionChips.still.filter { $0.key != "magn" }
    let found = try read(MotionChips.machine(six))
    #expect(found.text("reference") == "arbitrary")
    #expect(found.status("magnetic_disturbance") == .unsupported)
    let alone = try read(MotionChips.machine(["accel": [0, 6.9343, 6.9343]]))
    #expect(alone.text("reference") == "gravity_only")
    #expect(alone.status("yaw") == .unsupported)
    #expect(alone.status("rotation_rate") == .unsupported)
    #expect(abs((alone.double("roll") ?? 0) - .pi / 4) < 1e-9)
    #expect(abs((alone.double("pitch") ?? 1)) < 1e-9)
  }

  @Test func `a quaternion of the hardware has its scalar part last`() throws {
    let fixture = try FixtureMachine([
      "\(MotionChips.path)/name": "relative_orientation\n",
      "\(MotionChips.path)/in_rot_quaternion_raw": "600000 0 0 800000\n",
      "\(MotionChips.path)/in_rot_quaternion_scale": "0.000001\n",
    ])
    let found = try read(fixture)
    #expect(distance(found, [0.8, 0.6, 0, 0]) < 1e-9)
    #expect(found.text("reference") == "hardware_relative")
    #expect(found.status("user_acceleration") == .unsupported)
    try fixture.write("0 0 0 0\n", to: "\(MotionChips.path)/in_rot_quaternion_raw")
    #expect(try read(fixture).status("attitude") == .noData)
  }

  @Test func `with one matrix that mirrors nothing is turned`() throws {
    let half = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
    let all = ["accel": half, "anglvel": half, "magn": half]
    let turned = try read(MotionChips.machine(MotionChips.still, matrices: all))
    #expect(turned.text("frame") == "device")
    #expect(abs(abs(turned.double("yaw") ?? 0) - .pi) < 1e-6)
    var mirrored = all
    mirrored["accel"] = "-1, 0, 0; 0, 1, 0; 0, 0, 1"
    let sensor = try read(MotionChips.machine(MotionChips.still, matrices: mirrored))
    #expect(sensor.text("frame") == "sensor")
    #expect(distance(sensor, [1, 0, 0, 0]) < 1e-9)
  }

  @Test func `inverted turns the earth half about north and leaves everything else`() throws {
    let kind = DeviceAttitude()
    let fixture = try MotionChips.machine(MotionChips.still)
    let instance = try #require(kind.discover(on: fixture.machine).instances.first)
    let reader = try #require(try kind.open(instance, on: fixture.machine))
    var reading = Reading(properties: kind.properties.count)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    let session = SessionFacts(settings: [Field.inverted.rawValue: .bool(true)])
    #expect(kind.adapts(to: session) && !kind.adapts(to: SessionFacts()))
    kind.adapt(&reading, to: session)
    let attitude = try #require(reading[Field.attitude].value.vector?.components)
    #expect(abs(attitude[2] - 1) < 1e-9)
    #expect(abs((reading[Field.gravity].value.vector?.z ?? 0) + 9.80665) < 1e-9)
    #expect(reading[Field.inverted].value == .bool(true))
  }

  @Test func `a stream brings a row for every sample but those that repeat or go back`() throws {
    let scans = FakeScans()
    let diary = SampleDiary()
    let fixture = try MotionChips.machine(MotionChips.still)
    let machine = fixture.machine.with(scans: scans)
    let kind = DeviceAttitude()
    let instance = try #require(kind.discover(on: machine).instances.first)
    let reader = try #require(try kind.open(instance, on: machine) as? any StreamingReader)
    #expect(reader.streamsBelow == .max)
    let stream = try reader.openStream(
      every: 20_000_000, on: fixture.loop, deliver: diary.take, ended: diary.end)
    let row = [0, 0, 9.80665, 0, 0, 0.1, 0, 20, -44]
    let bad = [Double.nan, 0, 0, .nan, 0, 0, .infinity, 0, 0]
    let step: Int64 = 10_000_000
    scans.bring(
      [row, row, row, bad, row, row], at: [step, 2 * step, 2 * step, 3 * step, 4 * step, step])
    #expect(diary.blocks.last?.times == [step, 2 * step, 4 * step])
    let attitudes = try #require(diary.numbers(Field.attitude.rawValue))
    #expect(attitudes.count == 12 && attitudes.allSatisfy(\.isFinite))
    for row in 1..<3 {
      let dot = (0..<4).map { attitudes[row * 4 + $0] * attitudes[row * 4 - 4 + $0] }
      #expect(dot.reduce(0, +) > 0.99)
    }
    #expect(diary.words(Field.acquisition.rawValue) == ["0 stream"])
    scans.bring([row], at: [4 * step + 2_000_000_000])
    #expect(diary.words(Field.accuracy.rawValue) == ["0 unreliable"])
    scans.end(nil)
    #expect(diary.ends == [nil])
    stream.cancel()
    #expect(scans.cancelCount > 0)
  }

  @Test func `a filter is searching until it has settled, and says when it sees too little`() throws
  {
    let scans = FakeScans()
    let diary = SampleDiary()
    let fixture = try MotionChips.machine(MotionChips.still)
    let stream = try scans.stream(DeviceAttitude(), on: fixture, to: diary)
    defer { stream.cancel() }
    let row = [0, 0, 9.80665, 0, 0, 0.1, 0, 20, -44]
    func bring(_ count: Int, step: Int64, from start: Int64) -> Availability? {
      scans.bring(
        Array(repeating: row, count: count), at: (0..<count).map { start + Int64($0) * step })
      return diary.blocks.last?.condition
    }
    let second: Int64 = 1_000_000_000
    #expect(bring(40, step: second / 100, from: second)?.state == .searching)
    #expect(bring(60, step: second / 100, from: second + 40 * second / 100) == nil)
    let sparse = bring(60, step: second / 40, from: 2 * second)
    #expect(sparse?.state == .available && sparse?.detail == "fewer than 50 samples a second")
    #expect(bring(1, step: second, from: 9 * second)?.state == .searching)
  }

  private static let noUp = "the accelerometer measures nothing: free fall or no data"
  private static let levelled: [Field] = [
    .attitude, .roll, .pitch, .yaw, .gravity, .userAcceleration, .accuracy, .atRest,
    .magneticDisturbance,
  ]

  private static let chips: [[String: [Double]]] = [
    MotionChips.still, MotionChips.still.filter { $0.key != "magn" }, ["accel": [0, 0, 0]],
    ["accel": [0, 0, 0], "anglvel": [0.1, 0, 0], "magn": [0, 0, 0]],
  ]

  @Test(arguments: chips)
  func `an acceleration of exactly zero is no attitude, polled`(axes: [String: [Double]]) throws {
    let found = try read(MotionChips.machine(axes.merging(["accel": [0, 0, 0]]) { $1 }))
    for field in Self.levelled {
      let key = DeviceAttitude.table[field.rawValue].key
      if found.status(key) == .unsupported { continue }
      #expect(found.status(key) == .noData, "\(key)")
      #expect(found.reason(key) == Self.noUp, "\(key)")
    }
    #expect(found.status("attitude") == .noData && found.status("gravity") == .noData)
    // How fast it turns is the gyroscope's own business.
    #expect(found.status("rotation_rate") == (axes["anglvel"] == nil ? .unsupported : .ok))
  }

  @Test func `a field of exactly zero is no north, and the attitude goes on without it`() throws {
    let found = try read(
      MotionChips.machine(MotionChips.still.merging(["magn": [0, 0, 0]]) { $1 }))
    #expect(distance(found, [1, 0, 0, 0]) < 1e-9)
    #expect(found.text("reference") == "arbitrary")
    #expect(found.reason("magnetic_disturbance") == "the magnetometer measures nothing: no data")
    #expect(found.payload("at_rest") == .bool(false) && found.status("gravity") == .ok)
  }

  @Test func `no rotation at all beside no acceleration is no opinion of the hardware`() throws {
    let path = MotionChips.path
    let fixture = try MotionChips.machine(
      ["accel": [0, 0, 0]],
      more: ["in_rot_quaternion_raw": "0 0 0 1000000\n", "in_rot_quaternion_scale": "0.000001\n"])
    #expect(try read(fixture).reason("attitude") == Self.noUp)
    try fixture.write("600000 0 0 800000\n", to: "\(path)/in_rot_quaternion_raw")
    #expect(distance(try read(fixture), [0.8, 0.6, 0, 0]) < 1e-9)
    #expect(try read(fixture).reason("user_acceleration") == Self.noUp)
    try fixture.write("0 0 0 1000000\n", to: "\(path)/in_rot_quaternion_raw")
    try fixture.write("9.8\n", to: "\(path)/in_accel_z_raw")
    #expect(distance(try read(fixture), [1, 0, 0, 0]) < 1e-9)
  }

  @Test func `zeros in a stream take the attitude of their rows, and bring no jump`() throws {
    let scans = FakeScans()
    let diary = SampleDiary()
    let fixture = try MotionChips.machine(MotionChips.still)
    let stream = try scans.stream(DeviceAttitude(), on: fixture, to: diary)
    defer { stream.cancel() }
    let step: Int64 = 10_000_000
    func bring(_ rows: [[Double]], from start: Int64) {
      scans.bring(rows, at: rows.indices.map { (start + Int64($0)) * step })
    }
    let dead = [0, 0, 0, 0, 0, 0.1, 0, 0, 0]
    bring(Array(repeating: dead, count: 80), from: 1)
    #expect(diary.blocks.last?.condition?.state == .searching)
    for field in Self.levelled.prefix(6) {
      #expect(diary.numbers(field.rawValue)?.contains(where: \.isFinite) == false)
      #expect(diary.reasons(field.rawValue) == ["0 \(Self.noUp)"])
    }
    #expect(diary.numbers(Field.rotationRate.rawValue)?.allSatisfy(\.isFinite) == true)
    // The device points east: a field that was taken in before it was level would not be forgotten.
    let live = [0, 0, 9.80665, 0, 0, 0, -20, 0, -44]
    bring([live, live, dead, live, [0, 0, 9.80665, 0, 0, 0, 0, 0, 0], live], from: 81)
    let found = try #require(diary.numbers(Field.yaw.rawValue))
    #expect(found.map(\.isFinite) == [true, true, false, true, true, true])
    for yaw in found where yaw.isFinite { #expect(abs(yaw + .pi / 2) < 0.01) }
    #expect(
      diary.words(Field.reference.rawValue) == [
        "0 magnetic_north", "2 arbitrary", "3 magnetic_north", "4 arbitrary", "5 magnetic_north",
      ])
    #expect(diary.reasons(Field.yaw.rawValue) == ["2 \(Self.noUp)"])
  }

  @Test func `four zeros are no attitude that angles could be computed of`() {
    let kind = DeviceAttitude()
    var reading = Reading(properties: kind.properties.count)
    reading[Field.attitude] = .ok(.vector(Vector(0, 0, 0, 0)))
    kind.derive(&reading)
    for field in [Field.roll, .pitch, .yaw, .gravity] {
      #expect(reading[field].status == .noData)
    }
  }

  @Test func `without a buffer the reader says why it polls`() throws {
    let fixture = try MotionChips.machine(MotionChips.still)
    let machine = fixture.machine.with(
      scans: FakeScans(failing: SystemError(13, at: "/dev/iio:device0")))
    let kind = DeviceAttitude()
    let instance = try #require(kind.discover(on: machine).instances.first)
    let reader = try #require(try kind.open(instance, on: machine) as? any StreamingReader)
    #expect(throws: SourceError.self) {
      try reader.openStream(
        every: 1, on: fixture.loop, deliver: { _ in }, ended: { _ in })
    }
  }

  @Test func `M4: one unreadable axis takes what is computed from it and no more`() throws {
    let fixture = try MotionChips.machine(MotionChips.still)
    try fixture.write("x\n", to: "\(MotionChips.path)/in_accel_x_raw")
    let found = try read(fixture)
    #expect(found.status("attitude") == .failed && found.status("gravity") == .failed)
    #expect(found.text("driver") == "chip" && found.payload("inverted") == .bool(false))
  }
}
