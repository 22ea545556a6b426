import DataSources
import GatheredKitTesting
import Gathering
import Glibc
import Machine
import Testing
import Values

@testable import Recording

/// Rows that are taken out of a recording: data sources L1, L6, L12, L36.
struct RecordingErasureTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  /// Rows of samples of all sorts, in several files; all of them as text with their times.
  private func record(
    rotateBytes: Int? = 4000
  ) throws -> [(time: Int64, name: String, line: String)] {
    var options = RecorderOptions()
    options.blockRows = 16
    options.rotateBytes = rotateBytes
    let recorder = try Recorder(to: path, options: options)
    var rows = RandomRows(seed: 5, properties: 10)
    var all: [(Int64, String, String)] = []
    for number in Int64(0)..<400 {
      let name = number % 3 == 0 ? "even" : "odd"
      for var sample in rows.next().suffix(1) {
        (sample.time, sample.realtime) = (number * 10, number * 10 + 5)
        try recorder.append(sample, named: name)
        all.append((sample.realtime, name, sample.exact))
      }
      if number % 50 == 0 { try recorder.flush() }
    }
    try recorder.close()
    return all.map { (time: $0.0, name: $0.1, line: $0.2) }
  }

  private func lines(of name: String? = nil) throws -> [String] {
    let parts = try RecordingParts(path)
    try parts.verify()
    #expect(parts.problems == [])
    var rows = try parts.rows(RecordingQuery())
    var lines: [String] = []
    while let row = try rows.next() {
      if name ?? row.series.name == row.series.name { lines.append(row.sample(at: 0).exact) }
    }
    return lines
  }

  private func delete(_ query: Query, in storage: any FileStorage = LiveStorage()) throws {
    let access: DataAccess<ValueDictionary> =
      try RecordingStore(path, in: storage).access { $0 }
    _ = try access.future(.delete, query).wait()
  }

  private func content() throws -> [[UInt8]] {
    try SegmentNames(path).present(in: LiveStorage()).map { number in
      let file = try LiveStorage().open(
        try SegmentNames(path).path(ofSegment: number), for: .reading)
      return try file.bytes(at: 0, count: try file.size())
    }
  }

  @Test func `L36: a time range is taken out, and every other sample stays to the bit`() throws {
    for range in [
      1005..<2005, 0..<6, 3995..<9000, 7..<8, 2000..<2016, Int64.min..<100,
    ] as [Range<Int64>] {
      let all = try record()
      #expect(try SegmentNames(path).present(in: LiveStorage()).count > 2)
      try delete(.timeRange(range))
      #expect(try lines() == all.filter { !range.contains($0.time) }.map(\.line))
      for number in try SegmentNames(path).present(in: LiveStorage()) {
        try LiveStorage().remove(try SegmentNames(path).path(ofSegment: number))
      }
    }
  }

  @Test func `L3, L12: an entry, all of them, and those a condition holds for are deleted`() throws
  {
    let all = try record()
    try delete(.id("none"))
    #expect(try lines() == all.map(\.line))
    try delete(.all(where: .and([.isNull("value"), .compare("time", .less, .time(2000))])))
    let isGone = { (line: String) in line.hasPrefix("- ") }
    let rest = all.filter { !($0.time < 2000 && isGone($0.line)) }
    #expect(try lines() == rest.map(\.line) && rest.count < all.count)
    try delete(.id("odd"))
    #expect(try lines() == rest.filter { $0.name == "even" }.map(\.line))
    #expect(try RecordingParts(path).series.map(\.name) == ["even"])
    try delete(.all())
    let empty = try RecordingParts(path)
    #expect(empty.series == [] && empty.events == [] && empty.blocks.isEmpty)
    #expect(try lines() == [])
    let access: DataAccess<ValueDictionary> = try RecordingStore(path).access { $0 }
    guard case .list(let rows) = try access.future(.getAll, .all()).wait() else { return }
    #expect(rows == [])
    #expect(throws: DataSourceError(.notFound)) {
      _ = try access.future(.getAll, .id("even")).wait()
    }
  }

  @Test func `what was deleted is in no byte of the files`() throws {
    let recorder = try Recorder(to: path)
    for (time, word) in [(1, "first"), (2, "secret"), (3, "third")] as [(Int64, String)] {
      try recorder.append(Sample(.string(word), time: time, realtime: time), named: "words")
    }
    try recorder.close()
    let holds = { (word: String) in
      try content().contains { String(decoding: $0, as: UTF8.self).contains(word) }
    }
    #expect(try holds("secret"))
    try delete(.timeRange(2..<3))
    #expect(try !holds("secret") && holds("first") && holds("third"))
  }

  @Test func `data sources L68: nothing is deleted while a recorder writes`() throws {
    var options = RecorderOptions()
    options.rotateBytes = 300
    let recorder = try Recorder(to: path, options: options)
    for number in Int64(0)..<30 {
      try recorder.append(Sample(.int(number), time: number, realtime: number), named: "n")
      try recorder.flush()
    }
    let before = try content()
    #expect(before.count > 2)
    let error = #expect(throws: DataSourceError.self) { try delete(.timeRange(0..<5)) }
    #expect(error == DataSourceError(.failed) && error?.errno == .inUse)
    #expect(try content() == before)
    try recorder.close()
    try delete(.timeRange(0..<5))
    #expect(try lines().count == 25)
  }

  @Test func `L6: whatever fails, all or nothing is deleted`() throws {
    let all = try record()
    let before = try content()
    let range = 100..<3900 as Range<Int64>
    var number = 0
    while true {
      let storage = FaultyStorage()
      storage.fail(atChange: number, with: .noSpace)
      do {
        try delete(.timeRange(range), in: storage)
        break
      } catch {
        #expect((error as? DataSourceError)?.errno == .noSpace)
      }
      number += 1
      // The files are put in their places one after the other, once all of them are written.
      let isWritten = try lines() != all.map(\.line)
      if isWritten { break }
      #expect(try content() == before)
      #expect(try LiveStorage().names(in: folder.path).count == before.count)
    }
    #expect(number > 10)
    try delete(.timeRange(range))
    #expect(try lines() == all.filter { !range.contains($0.time) }.map(\.line))
  }

  @Test func `a recording keeps its mode, and goes on behind what was deleted`() throws {
    let all = try record(rotateBytes: nil)
    #expect(chmod(path, 0o600) == 0)
    try delete(.timeRange(0..<1000))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    var options = RecorderOptions()
    options.existing = .append
    let recorder = try Recorder(to: path, options: options)
    try recorder.append(Sample(.int(1), time: 9000, realtime: 9000), named: "odd")
    try recorder.close()
    #expect(try lines().count == all.count { $0.time >= 1000 } + 1)
  }

  @Test func `who has read a file before sees that rows were taken out`() throws {
    for rotateBytes in [nil, 4000] {
      let all = try record(rotateBytes: rotateBytes)
      let parts = try RecordingParts(path)
      for start in stride(from: Int64(0), to: 1000, by: 90) {
        try delete(.timeRange(start..<start + 10))
        try parts.refresh()
        try parts.verify()
        #expect(parts.problems == [])
        let rows = parts.blocks.reduce(0) { $0 + $1.rowCount }
        let gone = all.filter { $0.time < start + 10 && $0.time % 90 < 10 && $0.time >= 0 }
        #expect(rows == all.count - gone.count)
      }
      for number in try SegmentNames(path).present(in: LiveStorage()) {
        try LiveStorage().remove(try SegmentNames(path).path(ofSegment: number))
      }
    }
  }
}
