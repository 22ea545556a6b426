import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct SensorStreamTests {
  private let device = "/sys/bus/iio/devices/iio:device0"

  /// A reader of a captured machine whose buffers a test plays.
  private struct Rig {
    let reader: any StreamingReader
    let scans: FakeScans
    let files: AlteredFiles
    let diary = SampleDiary()
    let loop: any Loop = VirtualLoop(clock: VirtualTime())
    let instance: Instance
    let properties: [Property]

    init(
      _ kind: any SourceKind, _ machine: Machine, _ name: String, failing: SystemError? = nil,
      scans withScans: Bool = true
    ) throws {
      files = AlteredFiles(over: machine.files)
      scans = FakeScans(failing: failing)
      let machine = machine.with(files: files).with(iio: files, scans: withScans ? scans : nil)
      let found = kind.discover(on: machine).instances
      instance = try #require(found.first { $0.name == name || $0.aliases.contains(name) })
      reader = try #require(try kind.open(instance, on: machine) as? any StreamingReader)
      properties = instance.properties ?? kind.properties
    }

    func open() throws(SourceError) -> any SampleStream {
      try reader.openStream(
        every: 10_000_000, on: loop, deliver: { [diary] in diary.take($0) },
        ended: { [diary] in diary.end($0) })
    }

    /// Why there is no stream; nil if there is one.
    func refusal() -> Availability? {
      do throws(SourceError) {
        _ = try open()
      } catch {
        if case .unavailable(let availability) = error { return availability }
      }
      return nil
    }

    func read(_ scope: ReadRequest.Scope = .everything) -> Reading {
      var reading = Reading(properties: properties.count)
      reader.read(ReadRequest(scope: scope, allow: .all), into: &reading)
      return reading
    }
  }

  private func rig(
    _ kind: any SourceKind, _ name: String = "iio:device0", failing: SystemError? = nil,
    scans: Bool = true
  ) throws -> Rig {
    try Rig(kind, machine(named: "motion-board"), name, failing: failing, scans: scans)
  }

  @Test func `scale, offset, unit and mount matrix go into the request`() throws {
    let rig = try rig(Accelerometer())
    let stream = try rig.open()
    let request = try #require(rig.scans.requests.first)
    #expect(request.device == device)
    #expect(request.interval == 10_000_000)
    let scale = 0.000598
    #expect(
      request.groups == [
        ScanGroup(
          channels: ["accel_x", "accel_y", "accel_z"],
          matrix: [-scale, 0, 0, 0, -scale, 0, 0, 0, scale], offset: [0, 0, 0])
      ])
    #expect(stream.interval == 10_000_000)
    stream.cancel()
    #expect(rig.scans.cancelCount == 1)
  }

  @Test func `a stream brings what polling brings, row by row`() throws {
    let rig = try rig(Accelerometer())
    let polled = rig.read()
    let stream = try rig.open()
    let axis = 9.81 / 0.000598
    rig.scans.bring(
      [[164, -328, 16384], [0, axis, 0], [0, -axis, 0]], at: [1, 2, 3], gap: true)
    let block = try #require(rig.diary.blocks.first)
    #expect(block.times == [1, 2, 3])
    #expect(block.origin == .kernel)
    #expect(block.hasGap)
    let rows = try #require(rig.diary.numbers(Accelerometer.Field.acceleration.rawValue))
    let vector = try #require(polled[Accelerometer.Field.acceleration].value.vector)
    for (row, number) in zip(rows, vector.components) { #expect(abs(row - number) < 1e-9) }
    #expect(
      rig.diary.words(Accelerometer.Field.orientation.rawValue) == [
        "0 undefined", "1 normal", "2 bottom-up",
      ])
    #expect(rig.diary.words(Accelerometer.Field.acquisition.rawValue) == ["0 stream"])
    #expect(
      rig.diary.words(Accelerometer.Field.samplingFrequency.rawValue) == ["0 100"])
    #expect(block.columns[Accelerometer.Field.gravity.rawValue] == nil)
    stream.cancel()
  }

  @Test func `acquisition says stream while one runs, and poll again afterwards`() throws {
    let rig = try rig(Gyroscope())
    #expect(rig.read()[Gyroscope.Field.acquisition] == .ok(.string("poll")))
    let stream = try rig.open()
    #expect(rig.read(.changing)[Gyroscope.Field.acquisition] == .ok(.string("stream")))
    stream.cancel()
    #expect(rig.read(.changing)[Gyroscope.Field.acquisition] == .ok(.string("poll")))
  }

  @Test func `what a buffer of ours keeps from being read stays as it was`() throws {
    let rig = try rig(Gyroscope())
    var reading = rig.read()
    let before = reading[Gyroscope.Field.rotationRate]
    rig.files.alter("\(device)/in_anglvel_x_raw", .failing(16))
    let stream = try rig.open()
    rig.reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
    #expect(reading[Gyroscope.Field.rotationRate] == before)
    stream.cancel()
    rig.reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
    #expect(reading[Gyroscope.Field.rotationRate].status == .failed)
  }

  @Test func `every channel of a device is streamed, an axis that is off keeps polling`() throws {
    let rig = try rig(IIO())
    let stream = try rig.open()
    #expect(rig.scans.requests.first?.groups.map(\.channels.count) == [3, 3])
    rig.scans.bring([[1, 2, 3, 4, 5, 6]], at: [7])
    let rates: [Double] = [4, 5, 6].map { $0 * 0.001065 }
    #expect(rig.diary.numbers(1) == rates)
    stream.cancel()
    let other = try self.rig(IIO())
    other.files.write("0\n", to: "\(device)/scan_elements/in_anglvel_y_en")
    let partial = try other.open()
    #expect(
      other.scans.requests.first?.groups.map(\.channels) == [["accel_x", "accel_y", "accel_z"]])
    partial.cancel()
  }

  @Test func `a magnitude and its worth follow every row`() throws {
    var contents: [String: String] = [:]
    for axis in ["x", "y", "z"] {
      contents["\(device)/in_magn_\(axis)_raw"] = "0\n"
      contents["\(device)/scan_elements/in_magn_\(axis)_en"] = "1\n"
    }
    contents["\(device)/in_magn_scale"] = "0.001\n"
    let rig = try Rig(Magnetometer(), SourceKindsTests.machine(of: contents), "iio:device0")
    let stream = try rig.open()
    rig.scans.bring([[300, 0, 400], [0, 0, 0], [0, 0, 500]], at: [1, 2, 3])
    let lengths = try #require(rig.diary.numbers(Magnetometer.Field.magnitude.rawValue))
    for (length, expected) in zip(lengths, [50.0, 0, 50]) { #expect(abs(length - expected) < 1e-9) }
    #expect(
      rig.diary.words(Magnetometer.Field.accuracy.rawValue) == [
        "0 medium", "1 unreliable", "2 medium",
      ])
    stream.cancel()
  }

  @Test(arguments: [
    (Int32(13), "90-gatheredkit-iio.rules"), (1, "90-gatheredkit-iio.rules"),
    (16, "iio-sensor-proxy"), (38, "0.1 s"), (2, "0.1 s"),
  ])
  func `without a buffer the reason is an errno and a remedy, and polling stays`(
    code: Int32, remedy: String
  ) throws {
    let rig = try rig(Accelerometer(), failing: SystemError(code, at: "/dev/iio:device0"))
    let availability = try #require(rig.refusal())
    #expect(availability.state == .available)
    #expect(availability.detail == "polling only")
    #expect(availability.errno == code)
    #expect(availability.remedy.contains(remedy))
    #expect(rig.read()[Accelerometer.Field.acquisition] == .ok(.string("poll")))
  }

  @Test func `an axis that is not in the buffer, or no buffer at all, is polling only`() throws {
    let off = try rig(Accelerometer())
    off.files.write("0\n", to: "\(device)/scan_elements/in_accel_z_en")
    #expect(off.refusal()?.errno == 95)
    #expect(off.scans.requests.isEmpty)
    let none = try rig(Accelerometer(), scans: false)
    #expect(none.refusal()?.errno == 38)
    let broken = try rig(Accelerometer())
    broken.files.write("text\n", to: "\(device)/in_accel_scale")
    #expect(broken.refusal()?.errno == 22)
  }

  @Test func `the end of a stream is told once, and nothing comes after it`() throws {
    let rig = try rig(Gyroscope())
    let stream = try rig.open()
    rig.scans.end(SystemError(19, at: "/dev/iio:device0"))
    rig.scans.end(nil)
    rig.scans.bring([[1, 2, 3]], at: [1])
    stream.cancel()
    #expect(rig.diary.ends == [.io(errno: 19, place: "/dev/iio:device0")])
    #expect(rig.diary.blocks.isEmpty)
  }

  @Test func `another scale is another buffer: the stream ends to be opened again`() throws {
    let rig = try rig(Gyroscope())
    let stream = try rig.open()
    rig.scans.bring([[1, 2, 3]], at: [0])
    rig.files.write("0.002130\n", to: "\(device)/in_anglvel_scale")
    rig.scans.bring([[1, 2, 3]], at: [999_999_999])
    #expect(rig.diary.blocks.count == 2)
    rig.scans.bring([[1, 2, 3]], at: [1_000_000_000])
    #expect(rig.diary.blocks.count == 2)
    #expect(rig.diary.ends == [.io(errno: 11, place: device)])
    #expect(rig.scans.cancelCount == 1)
    stream.cancel()
    let again = try rig.open()
    rig.scans.bring([[1000, 0, 0]], at: [1_000_000_001])
    #expect(rig.diary.numbers(Gyroscope.Field.rotationRate.rawValue)?.first == -2.13)
    again.cancel()
  }

  @Test func `streams serve below 0.1 s, of a live hub below what polling grants`() throws {
    let laptop = try machine(named: "motion-laptop")
    let captured = try Rig(Accelerometer(), laptop, "iio:device2")
    #expect(captured.reader.streamsBelow == 100_000_000)
    #expect(!captured.reader.mayBlock)
    let live = laptop.with(nature: .live, iio: laptop.files, mayBlock: true)
    let kind = Accelerometer()
    for (name, below) in [("iio:device0", Int64(100_000_000)), ("iio:device2", 250_000_000)] {
      let instance = try #require(
        KindHarness(kind, machine: live).discover().instances.first {
          $0.aliases.contains(name)
        })
      let reader = try #require(try kind.open(instance, on: live) as? any StreamingReader)
      #expect(reader.streamsBelow == below)
      #expect(reader.mayBlock)
    }
  }

  @Test func `above 50 Hz polled vectors are marked, slower ones are not`() throws {
    let fixture = try FixtureMachine([
      "\(device)/in_anglvel_x_raw": "1\n", "\(device)/in_anglvel_y_raw": "2\n",
      "\(device)/in_anglvel_z_raw": "3\n", "\(device)/in_temp_raw": "4\n",
    ])
    let kind = Gyroscope()
    let instance = try #require(kind.discover(on: fixture.machine).instances.first)
    let reader = try #require(try kind.open(instance, on: fixture.machine))
    var reading = Reading(properties: kind.properties.count, at: fixture.machine.clock.now)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    for (pause, isMarked) in [(Int64(20_000_000), false), (10_000_000, true), (20_000_000, false)] {
      fixture.loop.advance(to: fixture.machine.clock.now.boot + pause)
      // As its context does: a reading knows when it began.
      reading.instant = fixture.machine.clock.now
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      #expect(reading[Gyroscope.Field.rotationRate].isLowAccuracy == isMarked)
      #expect(!reading[Gyroscope.Field.temperature].isLowAccuracy)
    }
  }
}
