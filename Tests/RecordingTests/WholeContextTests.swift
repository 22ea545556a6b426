import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording
@testable import SourceKinds

/// All sources of a context that go into a recorder, those that come later too.
struct WholeContextTests {
  static let lines = """
    0 add memory|machine
    0 set memory|machine/free 5
    0 add battery|BAT0
    0 set battery|BAT0/level 0.5
    0 add humidity|broken
    0 availability humidity|broken busy in use
    2 add battery|BAT1
    2 set battery|BAT1/level 0.7
    4 add storage|home
    6 availability humidity|broken available
    8 remove battery|BAT1
    10 add battery|BAT1

    """

  let folder: TemporaryFolder
  let context: Context
  let recorder: Recorder
  let refusals = Monitor<[String]>([])
  var path: String { folder.path + "/walk.gkr" }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array(Self.lines.utf8), to: "/script")
    context = try RecorderTests.simulated("file=\(folder.path)/script")
    recorder = try Recorder(to: folder.path + "/walk.gkr")
  }

  private func addAll(standIns: Bool = false) throws -> Int {
    let refusals = refusals
    return try recorder.addAll(of: context, standIns: standIns, every: 1_000_000_000) { id, error in
      refusals.withLock { $0.append("\(id): \(error.message)") }
    }
  }

  /// The first moment of each source in the file, in seconds.
  private func begins() throws -> [String: Int64] {
    let file = try RecordingFile(path)
    var begins: [String: Int64] = [:]
    for series in file.series {
      guard case .source(let id) = series.origin else { continue }
      let times = file.blocks(of: series.number).map(\.boot.lowerBound)
      begins[id.description] = times.min().map { $0 / 1_000_000_000 }
    }
    return begins
  }

  @Test func `what appears or becomes available is recorded from then on`() throws {
    #expect(try addAll() == 3)
    for second in 1...12 { try context.seek(to: Int64(second) * 1_000_000_000) }
    try recorder.close()
    #expect(
      try begins() == [
        "memory|machine": 0, "battery|aggregate": 0, "battery|BAT0": 0, "battery|BAT1": 2,
        "storage|aggregate": 4, "storage|home": 4, "humidity|broken": 6,
      ])
    #expect(refusals.withLock { $0 } == [])
  }

  @Test func `an aggregate stands for its members, with those that come later`() throws {
    #expect(try addAll(standIns: true) == 2)
    for second in 1...12 { try context.seek(to: Int64(second) * 1_000_000_000) }
    try recorder.close()
    #expect(
      try begins() == [
        "memory|machine": 0, "battery|aggregate": 0, "storage|aggregate": 4, "humidity|broken": 6,
      ])
  }

  @Test func `H5 one that returns goes on, and what is recorded already is left alone`() throws {
    let battery = try context.open("battery|BAT0")
    try recorder.add(battery)
    try battery.startUpdating(every: 4_000_000_000)
    #expect(try addAll() == 2)
    for second in 1...12 { try context.seek(to: Int64(second) * 1_000_000_000) }
    #expect(battery.updateInterval == 4_000_000_000)
    try recorder.close()
    #expect(battery.isUpdating)
    let file = try RecordingFile(path)
    let series = try #require(file.series.first { "\($0.origin)".contains("BAT1") })
    #expect(file.blocks(of: series.number).last?.boot.upperBound == 12_000_000_000)
    #expect(file.series.count { "\($0.origin)".contains("BAT0") } == 1)
  }

  @Test func `the end stops all, and nothing comes after it`() throws {
    #expect(try addAll() == 3)
    try recorder.close()
    for second in 1...5 { try context.seek(to: Int64(second) * 1_000_000_000) }
    #expect(throws: SourceError.closed) { try addAll() }
    #expect(try begins().keys.sorted() == ["battery|BAT0", "battery|aggregate", "memory|machine"])
  }

  @Test func `an aggregate stands for the members of its own machine, while it is available`()
    throws
  {
    func listed(_ ids: String..., except absent: String) throws -> [SourceDescription] {
      try ids.map { id in
        SourceDescription(
          id: try SourceIdentifier(parsing: id), name: "", label: "",
          availability: Availability(id == absent ? .noHardware : .available))
      }
    }
    let list = try listed(
      "battery|aggregate@pi", "battery|BAT0@pi", "battery|aggregate@robot", "battery|mouse@robot",
      "memory|machine@pi", except: "battery|aggregate@robot")
    #expect(
      list.withStandIns.map(\.id.description) == [
        "battery|aggregate@pi", "battery|aggregate@robot", "battery|mouse@robot",
        "memory|machine@pi",
      ])
  }
}
