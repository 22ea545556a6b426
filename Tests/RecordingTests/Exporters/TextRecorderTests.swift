import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording
@testable import SourceKinds

/// Live values into text files.
struct TextRecorderTests {
  let folder: TemporaryFolder
  let storage = FaultyStorage()
  var path: String { folder.path + "/out.csv" }

  init() throws { folder = try TemporaryFolder() }

  private func recorder(
    _ format: TextFormat, _ existing: RecorderOptions.Existing = .refuse,
    _ change: (inout RecorderOptions) -> Void = { _ in }
  ) throws -> Recorder {
    var options = RecorderOptions()
    options.existing = existing
    change(&options)
    return try Recorder(to: path, as: format, options: options, in: storage)
  }

  private var text: String { get throws { try TextExportTests.content(of: path) } }

  @Test func `live rows are the lines that their recording makes`() throws {
    for (format, name) in [(TextFormat.jsonLines, "a"), (.csv(.long), "b"), (.csv(.wide), "c")] {
      let fixture = try FixtureMachine()
      let shaker = Shaker()
      let context = try Context.open(
        on: fixture.machine, loop: fixture.loop, catalogue: [shaker])
      let source = try context.open("shaker")
      let (live, kept) = (folder.path + "/\(name).live", folder.path + "/\(name).gkr")
      let recorders = [try Recorder(to: live, as: format), try Recorder(to: kept)]
      for recorder in recorders { try recorder.add(source) }
      try source.startUpdating(every: 10_000_000)
      shaker.bring(5000, from: 0)
      shaker.bring(50, from: 5000, nan: 5020)
      try source.updateValues()
      shaker.bring(1, from: 5050)
      try source.stopUpdating()
      for recorder in recorders { try recorder.close() }
      try TextExport.write(
        try RecordedTable.all(of: try RecordingParts(kept)), as: format, to: kept + ".txt")
      let exported = try TextExportTests.content(of: kept + ".txt").lines
      let heard = try TextExportTests.content(of: live).lines
      #expect(heard.count == exported.count && exported.count > 5000)
      // An export has events where their time is, and this clock stands still for them.
      for isEvent in [true, false] {
        let pairs = [heard, exported].map { $0.filter { $0.contains(#","event":""#) == isEvent } }
        // One line rather than thousands that are compared with each other.
        let place = zip(pairs[0], pairs[1]).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(place.map { [pairs[0][$0], pairs[1][$0]] } == nil)
      }
    }
  }

  @Test func `a full disk is told, and nothing is lost when there is room again`() throws {
    let recorder = try recorder(.jsonLines)
    try RecorderFaultTests.append(1...10, to: recorder)
    try recorder.flush()
    storage.leaveRoom(for: 1000)
    try RecorderFaultTests.append(11...30, to: recorder)
    #expect(throws: SourceError.io(errno: .noSpace, place: path)) { try recorder.flush() }
    #expect(recorder.statistics.failure != nil)
    #expect(try text.lines.count == 10)
    storage.leaveRoom(for: .max)
    try recorder.close()
    let numbers = try text.lines.map { $0.contains(#""value":{"value":"#) }
    #expect(numbers.count == 30 && !numbers.contains(false))
    #expect(recorder.statistics.rows == 30 && recorder.statistics.lost == 0)
  }

  @Test func `what has no room in memory is counted and told`() throws {
    let recorder = try recorder(.jsonLines) { $0.memoryLimit = 2000 }
    try RecorderFaultTests.append(1...1, to: recorder)
    try recorder.flush()
    storage.stall(true)
    try RecorderFaultTests.append(2...200, to: recorder)
    storage.stall(false)
    try? recorder.flush()
    try RecorderFaultTests.append(201...201, to: recorder)
    try recorder.close()
    let lost = recorder.statistics.lost
    #expect(lost > 100 && recorder.statistics.rows + lost == 201)
    #expect(try text.contains(#""event":"lost","rows":\#(lost)}"#))
  }

  @Test func `a file that is there is refused, gone on with or written anew`() throws {
    let first = try recorder(.csv(.wide))
    try RecorderFaultTests.append(1...2, to: first)
    try first.close()
    let before = try text
    #expect(
      before.lines == ["value", "1", "2"].map { $0 == "value" ? "time,value" : Self.line($0) })
    #expect(throws: SourceError.io(errno: .exists, place: path)) { try recorder(.csv(.wide)) }
    let second = try recorder(.csv(.wide), .append)
    try RecorderFaultTests.append(3...3, to: second)
    try second.close()
    #expect(try text == before + Self.line("3") + "\r\n")
    // The line a killed process did not finish stays apart.
    try folder.write(Array("time,value\r\n1970".utf8), to: "/out.csv")
    let third = try recorder(.csv(.wide), .append)
    try RecorderFaultTests.append(4...4, to: third)
    try third.close()
    #expect(try text == "time,value\r\n1970\n" + Self.line("4") + "\r\n")
    let fourth = try recorder(.csv(.wide), .overwrite)
    try RecorderFaultTests.append(5...5, to: fourth)
    #expect(throws: SourceError.io(errno: .inUse, place: path)) {
      try recorder(.csv(.wide), .append)
    }
    try fourth.close()
    #expect(try text.lines == ["time,value", Self.line("5")])
  }

  private static func line(_ number: String) -> String { "1970-01-01T00:00:00Z,\(number)" }

  @Test func `a wide table is of one source or stream`() throws {
    let recorder = try recorder(.csv(.wide))
    let context = try RecorderTests.simulated("laptop")
    let source = try context.open("memory")
    try recorder.add(source)
    #expect(throws: SourceError.self) { try recorder.add(source) }
    #expect(throws: SourceError.self) { try recorder.append(Sample(.int(1)), named: "n") }
    let several = try Recorder(to: folder.path + "/long.csv", as: .csv(.long))
    for kind in ["memory", "battery"] {
      let source = try context.open(kind)
      try several.add(source)
      try source.startUpdating(every: 1_000_000_000)
    }
    try context.seek(to: 3_000_000_000)
    try several.close()
    let lines = try TextExportTests.content(of: folder.path + "/long.csv").lines
    #expect(lines.count { $0.contains(",memory|machine,available,") } == 4)
    #expect(lines.count { $0.contains(",battery|aggregate,level,") } == 4)
    try context.close()
  }

  @Test func `I6 the kinds of a simulated device are text that reads back`() throws {
    let context = try RecorderTests.simulated("phone")
    let recorder = try recorder(.jsonLines)
    var ids: Set<String> = []
    for description in try context.sources() {
      let source = try context.open(description.id)
      try recorder.add(source)
      try source.startUpdating(every: 100_000_000)
      ids.insert(source.id.description)
    }
    try context.seek(to: 1_000_000_000)
    try recorder.close()
    try context.close()
    var told: Set<String> = []
    for line in try text.lines {
      guard case .dictionary(let record) = try Value(json: Array(line.utf8)) else {
        Issue.record("\(line) is no object")
        return
      }
      if record["values"] != nil { told.insert(record["id"]?.text ?? "") }
    }
    #expect(told == ids)
  }
}

extension String {
  /// Its lines, without their ends.
  var lines: [String] {
    split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map(String.init)
  }
}
