import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Recording
import Testing
import Values

@testable import Fleet

/// What a publisher keeps until a real broker has it.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct SpoolTests {
  static let id = "accelerometer|mpu6050"
  let broker: PrivateBroker
  let folder: TemporaryFolder

  init() throws {
    broker = try PrivateBroker()
    folder = try TemporaryFolder()
  }

  private var spool: String { folder.path + "/spool" }

  private func device(
    storage: any FileStorage = LiveStorage(), _ change: (inout PublisherOptions) -> Void = { _ in }
  ) throws -> PublishedDevice {
    let spool = spool
    return try PublishedDevice("phone", on: broker, storage: storage) { options in
      options.spool = spool
      options.batchInterval = 50_000_000
      change(&options)
    }
  }

  /// A device whose accelerometer has told one value, and does not update yet.
  private func quietDevice(_ storage: any FileStorage = LiveStorage()) throws -> (
    PublishedDevice, Source
  ) {
    let device = try device(storage: storage)
    let source = try device.context.open(Self.id)
    try device.recorder.add(source)
    try source.updateValues()
    return (device, source)
  }

  private func newest(_ source: Source) throws -> NumberedRow {
    try #require(NumberedRow(source.allValues.map { $0.news }))
  }

  private func waitUntilEmpty(_ device: PublishedDevice) -> Bool {
    Patience.wait { device.recorder.information.spooledRows == 0 }
  }

  private func files(_ ending: String) throws -> [String] {
    try LiveStorage().names(in: spool).filter { $0.hasSuffix(ending) }.sorted()
  }

  /// Whether a recorder of the fleet has all rows of another, once, and as they are.
  private func expectSame(
    as local: String, _ recording: FleetRecording, _ rounds: Int
  ) throws {
    let kept = try FleetRecording.rows(of: local)
    let stored = try recording.rows()
    print("spool: \(rounds) outages, \(kept.count) rows, \(stored.count) stored")
    #expect(kept.count > 3000 && stored.count == Set(stored).count)
    let lost = Set(kept).subtracting(stored).sorted().runs
    #expect(lost.count == 0, "\(lost.prefix(99))")
    #expect(stored.breaks.count == 0, "\(stored.breaks.prefix(99))")
    let contents = try FleetRecording.contents(of: recording.path)
    let wrong = try FleetRecording.contents(of: local).filter { row, content in
      contents[row].map { $0 != content } ?? false
    }
    #expect(wrong.count == 0, "\(wrong.first.map { [$0.value, contents[$0.key]] } ?? [])")
  }

  @Test func `F29 F31 F32 of a fast stream nothing is lost or doubled by a broker that goes`()
    throws
  {
    let (device, source) = try quietDevice()
    let recording = try FleetRecording(of: "\(Self.id)@pi", on: broker, in: folder)
    let local = try Recorder(to: folder.path + "/local.gkr")
    try local.add(source)
    try source.startUpdating(every: 1_000_000)
    let rounds = Rounds.count(or: 3)
    for outage in 1...rounds {
      let count = recording.diary.rows.count
      #expect(Patience.wait { recording.diary.rows.count > count + 300 })
      // What a broker has and a reader does not take yet ends with the broker (F28).
      #expect(Patience.wait { recording.missing.map { $0 == "0" } ?? true })
      broker.stop()
      #expect(Patience.wait { device.recorder.information.state == .waiting })
      try broker.start()
      #expect(Patience.wait { device.recorder.information.connections == UInt64(outage + 1) })
    }
    let count = recording.diary.rows.count
    #expect(Patience.wait { recording.diary.rows.count > count + 300 })
    try source.stopUpdating()
    try local.close()
    try device.recorder.flush(within: Patience.limit)
    #expect(waitUntilEmpty(device))
    let last = try newest(source)
    #expect(try recording.wait(for: last))
    try expectSame(as: folder.path + "/local.gkr", recording, rounds)
    #expect(device.recorder.information.rowsLost == 0)
    // A listener's time never goes back.
    let times = recording.diary.rows.map { $0[0].time }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    try device.close()
    #expect(try files(".gkr").isEmpty)
    try recording.close()
  }

  @Test func `F30 F32 what was on the disk comes from the next process, once`() throws {
    broker.stop()
    let first = try device()
    let source = try #require(try first.publish([Self.id], every: 2_000_000).first)
    #expect(Patience.wait { first.recorder.information.rowsTaken > 500 })
    try first.recorder.flush(within: Patience.limit)
    #expect(first.recorder.information.spooledRows ?? 0 > 500)
    #expect(first.recorder.information.spooledBytes ?? 0 > 500)
    try source.stopUpdating()
    let last = try newest(source)
    try first.close()
    #expect(try files(".gkr").count == 1)
    // A cursor that is torn has all sent again, and loses nothing.
    try folder.write([0xF5, 0x47], to: "/spool/pi.cursor")
    try broker.start()
    // A session of another name makes the source known to a recorder that is there before.
    let other = try PublishedDevice("phone", on: broker)
    try other.publishToAll([Self.id])
    let recording = try FleetRecording(of: "\(Self.id)@pi", on: broker, in: folder)
    try other.close()
    let second = try device()
    let again = try second.context.open(Self.id)
    try second.recorder.add(again)
    #expect(waitUntilEmpty(second))
    #expect(try recording.wait(for: last))
    let stored = try recording.rows()
    #expect(stored.count == Set(stored).count)
    let run = stored.filter { $0.sequence > 1 && $0.realtime <= last.realtime }
    #expect(run.map(\.sequence).suffix(500) == Array(last.sequence - 499...last.sequence))
    try second.close()
    try recording.close()
  }

  @Test func `F33 a folder is one publisher's`() throws {
    let first = try device()
    #expect {
      _ = try device { $0.device = "other" }
    } throws: { error in
      guard case .unavailable(let why)? = error as? SourceError else { return false }
      return why.state == .busy && why.detail.contains("another publisher keeps its rows in")
    }
    try first.close()
    try device().close()
  }

  @Test func `F33 a file that cannot be read is set aside, and the next goes on`() throws {
    broker.stop()
    for number in 0..<2 {
      let device = try device()
      let source = try #require(try device.publish([Self.id], every: 2_000_000).first)
      #expect(Patience.wait { device.recorder.information.rowsTaken > 100 })
      try source.stopUpdating()
      try device.close()
      #expect(try files(".gkr").count == number + 1)
    }
    try folder.write(Array("this is no recording".utf8), to: "/spool/pi.gkr")
    try broker.start()
    let log = try TopicLog(broker)
    let device = try device()
    #expect(waitUntilEmpty(device))
    log.wait(for: "gathered/v1/pi/accelerometer/mpu6050/late")
    try device.close()
    #expect(try files(".gkr").isEmpty)
    #expect(try files(".bad") == ["pi.gkr.bad"])
  }

  @Test func `F29 while the disk is full rows go on to the broker`() throws {
    let storage = FaultyStorage()
    let (device, source) = try quietDevice(storage)
    let recording = try FleetRecording(of: "\(Self.id)@pi", on: broker, in: folder)
    try source.startUpdating(every: 1_000_000)
    #expect(Patience.wait { recording.diary.rows.count > 300 })
    for call in [FaultyStorage.Call.write, .sync, .open, .truncate, .move] {
      storage.fail(call, with: .noSpace)
    }
    let count = recording.diary.rows.count
    #expect(Patience.wait { recording.diary.rows.count > count + 2000 })
    for call in [FaultyStorage.Call.write, .sync, .open, .truncate, .move] {
      storage.fail(call, with: nil)
    }
    // The disk is tried again after some seconds.
    let size = device.recorder.information.spooledBytes ?? 0
    #expect(Patience.wait { device.recorder.information.spooledBytes ?? 0 > size + 1000 })
    broker.stop()
    #expect(Patience.wait { device.recorder.information.state == .waiting })
    try broker.start()
    #expect(Patience.wait { device.recorder.information.connections == 2 })
    try source.stopUpdating()
    try device.recorder.flush(within: Patience.limit)
    #expect(waitUntilEmpty(device))
    #expect(try recording.wait(for: try newest(source)))
    let stored = try recording.rows()
    #expect(stored.count == Set(stored).count)
    #expect(stored.breaks.isEmpty, "\(stored.breaks)")
    try device.close()
    try recording.close()
  }

  @Test func `F47 with late=1 listeners get what comes late, and it says so`() throws {
    let (device, source) = try quietDevice()
    let recording = try FleetRecording(of: "\(Self.id)@pi", on: broker, in: folder, "&late=1")
    try source.startUpdating(every: 2_000_000)
    #expect(Patience.wait { recording.diary.rows.count > 100 })
    broker.stop()
    #expect(Patience.wait { device.recorder.information.state == .waiting })
    try broker.start()
    #expect(Patience.wait { device.recorder.information.connections == 2 })
    #expect(
      recording.diary.wait { $0[0].flags.contains(.replayed) && $0[0].status == .ok } != nil)
    try source.stopUpdating()
    try device.close()
    try recording.close()
  }
}
