import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// The gravity that a sensor hub tells beside its accelerometer.
@Suite struct HubGravityTests {
  private static let noUp = "the accelerometer measures nothing: free fall or no data"

  /// A hub whose gravity is on a device of its own, or on the accelerometer itself.
  private func hub(gravity: [Double], isApart: Bool) throws -> FixtureMachine {
    let hub = "/sys/devices/hub"
    let other = isApart ? "\(hub)/HID-SENSOR-20007b.2.auto/iio:device1" : nil
    let own = "\(hub)/HID-SENSOR-200073.1.auto/iio:device0"
    var files = ["\(own)/name": "accel_3d\n"]
    for (place, axis) in ["x", "y", "z"].enumerated() {
      files["\(own)/in_accel_\(axis)_raw"] = "\(place)\n"
      files["\(own)/scan_elements/in_accel_\(axis)_en"] = "1\n"
      files["\(other ?? own)/in_gravity_\(axis)_raw"] = "\(gravity[place])\n"
      if !isApart { files["\(own)/scan_elements/in_gravity_\(axis)_en"] = "1\n" }
    }
    if let other { files["\(other)/name"] = "gravity\n" }
    let links = [own, other].compactMap(\.self).map { device in
      ("/sys/bus/iio/devices/\(device.suffix(11))", "../../../devices\(device.dropFirst(12))")
    }
    return try FixtureMachine(files, links: Dictionary(uniqueKeysWithValues: links))
  }

  @Test(arguments: [true, false])
  func `4.11 a gravity of exactly zero is no measurement, polled`(isApart: Bool) throws {
    let dead = try hub(gravity: [0, 0, 0], isApart: isApart)
    let found = try KindHarness(Accelerometer(), machine: dead.machine).read("iio:device0")
    #expect(found.status("gravity") == .noData)
    #expect(found.reason("gravity") == Self.noUp)
    // What the chip itself measures is another matter.
    #expect(found.payload("acceleration") == .vector(Vector(0, 1, 2)))
    let live = try hub(gravity: [0, 0, -9.8], isApart: isApart)
    #expect(
      try KindHarness(Accelerometer(), machine: live.machine).read("iio:device0").payload("gravity")
        == .vector(Vector(0, 0, -9.8)))
  }

  @Test func `4.11 a gravity of exactly zero is no measurement in a stream, row by row`() throws {
    let scans = FakeScans()
    let diary = SampleDiary()
    let fixture = try hub(gravity: [0, 0, -9.8], isApart: false)
    let stream = try scans.stream(Accelerometer(), on: fixture, to: diary, every: 10_000_000)
    defer { stream.cancel() }
    let gravity = Accelerometer.Field.gravity.rawValue
    scans.bring([[0, 1, 2, 0, 0, -9.8], [0, 0, 0, 0, 0, 0]], at: [1, 2])
    #expect(diary.numbers(gravity)?.map(\.isNaN) == [false, false, false, true, true, true])
    #expect(diary.reasons(gravity) == ["0 \(Self.noUp)"])
    let acceleration = Accelerometer.Field.acceleration.rawValue
    #expect(diary.numbers(acceleration) == [0, 1, 2, 0, 0, 0])
    scans.bring([[0, 1, 2, 0, 0, -9.8]], at: [3])
    #expect(diary.numbers(gravity) == [0, 0, -9.8] && diary.reasons(gravity).isEmpty)
  }
}
