import DataSources
import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording

/// A damaged block costs only itself, and damage ends nothing: data sources L65, L66, L67.
struct DamagedRecordingTests {
  /// A recording as a recorder makes it, of a source in blocks of four rows and of a stream.
  private let bytes: [UInt8]
  /// Where its blocks are.
  private let places: [(offset: Int, header: BlockHeader)]
  /// When the rows of the source were, by the offsets of their blocks, and those of the stream.
  private let rows: [Int: [Int64]]
  private let source: UInt32

  init() throws {
    let storage = MemoryStorage()
    let recorder = try Recorder(to: "a.gkr", in: storage)
    let fixture = try FixtureMachine()
    let shaker = Shaker()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, mode: .host, catalogue: [shaker])
    let source = try context.open("shaker")
    try recorder.add(source)
    try source.startUpdating(every: 10_000_000)
    for block in 1...3 {
      shaker.bring(4, from: block * 10)
      try recorder.flush()
      try recorder.append(Sample(.int(Int64(block)), time: Int64(block)), named: "n")
      try recorder.flush()
    }
    try recorder.close()
    try context.close()
    bytes = storage.bytes(of: "a.gkr")
    var index = try RecordingIndex(of: try storage.open("a.gkr", for: .reading))
    try index.scan(try storage.open("a.gkr", for: .reading))
    places = index.places
    let file = try RecordingFile("a.gkr", in: storage)
    rows = Dictionary(
      uniqueKeysWithValues: try index.blocks.map { ($0.offset, try file.rows(of: $0).times) })
    self.source = try #require(index.series.first { $0.name == "shaker|s" }).number
    #expect(rows.count >= 6 && index.problems.isEmpty)
  }

  /// The moments of the rows of blocks that do not touch a part of the file.
  private func whole(outside part: Range<Int>) -> [Int64] {
    places.flatMap { place -> [Int64] in
      let range = place.offset..<place.offset + place.header.blockSize
      return range.overlaps(part) ? [] : rows[place.offset] ?? []
    }.sorted()
  }

  /// The series of the rows of a block; nil of one that holds none.
  private func series(at offset: Int) -> UInt32? {
    guard rows[offset] != nil else { return nil }
    return bytes[(offset + Format.blockHeaderSize)...].prefix(4).reversed().reduce(0) {
      $0 << 8 | UInt32($1)
    }
  }

  // MARK: Ways to read it

  /// What a query gives.
  private func queried(_ parts: RecordingParts) throws -> [Int64] {
    var reader = try parts.rows(RecordingQuery())
    var times: [Int64] = []
    while let row = try reader.next() { times.append(row.rows.times[row.row]) }
    return times.sorted()
  }

  /// What a replay gives of the source, and how often it is told that rows were lost.
  private func played(_ parts: RecordingParts) throws -> (times: [Int64], losses: Int) {
    let replay = try Replay(parts)
    guard let kind = replay.kinds.first, let instance = replay.instances(of: kind).first else {
      return ([], 0)
    }
    let rows = try replay.rows(of: instance, of: kind)
    var (times, losses, moment): ([Int64], Int, Int64) = ([], 0, .min)
    while let next = try rows.nextRow(after: moment) {
      for block in try rows.blocks(after: moment, through: next) {
        times += block.times
        if block.loss != nil { losses += 1 }
        #expect(block.loss == nil || block.hasGap)
      }
      #expect(next > moment)
      _ = try rows.state(at: next)
      moment = next
    }
    return (times, losses + (rows.lossAtEnd() == nil ? 0 : 1))
  }

  /// Reads a damaged file in every way, and mends it; a part of it is not as it was.
  private func check(_ damaged: [UInt8], _ part: Range<Int>, isTorn: Bool = false) throws {
    let storage = MemoryStorage(["a.gkr": damaged])
    let expected = whole(outside: part)
    let parts = try RecordingParts("a.gkr", in: storage)
    #expect(try queried(parts) == expected, "queried, \(part)")
    let (times, losses) = try played(parts)
    let own = Set(
      places.filter { series(at: $0.offset) == source }.flatMap { rows[$0.offset] ?? [] })
    #expect(times == expected.filter(own.contains), "played, \(part)")
    if !isTorn, times.count < own.count { #expect(losses > 0, "told, \(part)") }
    for table in try RecordedTable.all(of: parts) {
      try TextExport.write([table], as: .jsonLines, to: "\(table.name).jsonl", in: storage)
    }
    try parts.verify()
    let isDamaged = !parts.problems.isEmpty
    #expect(
      try isDamaged || isTorn || parts.tail() > 0, "\(part)")

    let repair = try RecordingRepair.repair("a.gkr", in: storage)
    #expect(repair.lost.isEmpty == !isDamaged || isTorn, "\(part)")
    let mended = try RecordingFile("a.gkr", in: storage)
    try mended.verify()
    #expect(try mended.problems == [] && mended.tail() == 0, "mended, \(part)")
    #expect(try queried(RecordingParts("a.gkr", in: storage)) == expected, "mended, \(part)")
    if !isTorn, expected.count < whole(outside: 0..<0).count {
      #expect(mended.events.contains { $0.what == .lost }, "mended, \(part)")
      #expect(try played(RecordingParts("a.gkr", in: storage)).losses >= min(losses, 1), "\(part)")
    }
  }

  // MARK: Tests

  /// The bytes to damage: all that tell what a block is, and every ninth of the others.
  private var chosen: [Int] {
    let heads = places.flatMap { offset, header in
      offset..<offset + min(header.blockSize, Format.blockHeaderSize + Format.rowsHeadSize)
    }
    return Set(heads).union(stride(from: Format.fileHeaderSize, to: bytes.count, by: 9)).sorted()
  }

  @Test(arguments: 0..<4) func `L65: no flipped bit costs more than its block`(part: Int) throws {
    for place in chosen where place % 4 == part {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8((place / 4) % 8)
      // The last block may be one that was being written.
      let isLast = place >= places.last?.offset ?? 0
      try check(damaged, place..<place + 1, isTorn: isLast)
    }
  }

  @Test func `L66: a file that ends anywhere is read up to there`() throws {
    for count in stride(from: Format.fileHeaderSize, to: bytes.count, by: 31) {
      try check(Array(bytes[..<count]), count..<bytes.count, isTorn: true)
    }
  }

  @Test func `L66: a block that lacks bytes takes no other with it`() throws {
    for (offset, header) in places.dropLast() {
      for count in [1, 7, header.length / 2, header.length] {
        let part = offset + header.blockSize - count..<offset + header.blockSize
        try check(Array(bytes[..<part.lowerBound] + bytes[part.upperBound...]), part)
      }
      let all = offset..<offset + header.blockSize
      try check(Array(bytes[..<(offset + 9)] + bytes[all.upperBound...]), all)
    }
  }

  @Test func `L66: a short block with a right check sum is one that is damaged`() throws {
    for (offset, header) in places {
      let all = offset..<offset + header.blockSize
      let body = Array(bytes[all].dropFirst(Format.blockHeaderSize))
      guard let type = BlockType(rawValue: header.type), type != .closing else { continue }
      for count in [0, 1, 39, 40, 45, body.count - 1] where count < body.count {
        let short = BlockHeader.block(type, number: header.number, body: Array(body[..<count]))
        try check(Array(bytes[..<offset]) + short + bytes[all.upperBound...], all)
      }
    }
  }

  @Test func `L66: a replay of a damaged file ends at any rate, and tells what is lost`() throws {
    let own = places.filter { series(at: $0.offset) == source }
    for (number, place) in own.enumerated() {
      let folder = try TemporaryFolder()
      var damaged = bytes
      damaged[place.offset + Format.blockHeaderSize + 41] ^= 4
      try folder.write(damaged, to: "/a.gkr")
      let context = try Context.replay(try Replay(folder.path + "/a.gkr"), mode: .host)
      try context.setRate(.infinity)
      let player = try context.open("shaker")
      let diary = TapDiary()
      player.add(diary)
      let losses = Monitor(0)
      let token = player.addEventListener { event in
        if case .lost = event.what { losses.withLock { $0 += 1 } }
      }
      try player.startUpdating()
      let duration = try #require(context.duration)
      // Every move of the clock brings something, or is the last.
      while context.position.map({ $0 < duration }) ?? false {
        _ = try context.dispatch(timeout: 10_000_000)
      }
      try context.flush(timeout: 60_000_000_000)
      #expect(losses.withLock { $0 } == 1, "block \(number)")
      let count = own.reduce(0) {
        $0 + ($1.offset == place.offset ? 0 : rows[$1.offset]?.count ?? 0)
      }
      // What a session begins with may come before the first row.
      #expect((count...count + 1).contains(diary.rows.count), "block \(number)")
      token.end()
      try context.close()
    }
  }

  @Test(arguments: [1, 3000])
  func `L66: thousands of series are opened, listed, played and closed`(kinds: Int) throws {
    let count = 3000
    let storage = MemoryStorage()
    var segment = RecordingSegment(
      try storage.open("a.gkr", for: .creating), number: 0, birth: 0)
    segment.append(RecordedOpening(instant: Instant(boot: 0, realtime: 0), segment: 0))
    for number in 0..<count {
      var series = RecordedSeries(
        UInt32(number),
        .source(try SourceIdentifier(parsing: "kind\(number % kinds)|instance\(number)")))
      series.properties = [Property("value", .double, .continuous)]
      segment.append(.series, series.dictionary)
      let row = Sample(.double(1), time: Int64(number), sequence: 1)
      // Every tenth has a row.
      guard number % 10 == 0 else { continue }
      var table = RowTable(properties: 1)
      table.append([row])
      var scales: [Numbers.Scale?] = [nil]
      segment.append(.rows, table.body(ofSeries: UInt32(number), scales: &scales))
    }
    try segment.write(andSync: true)
    let parts = try RecordingParts("a.gkr", in: storage)
    #expect(try queried(parts).count == count / 10)
    let tables = try RecordedTable.all(of: parts)
    #expect(tables.count == count)
    try TextExport.write(tables, as: .jsonLines, to: "a.jsonl", in: storage)
    #expect(storage.bytes(of: "a.jsonl").count { $0 == 10 } == count / 10)
    let context = try Context.replay(try Replay(parts), mode: .host)
    try context.setRate(.infinity)
    let sources = try context.sources().map { try context.open($0.id) }
    #expect(sources.count == count)
    for source in sources { try? source.startUpdating() }
    let duration = try #require(context.duration)
    while context.position.map({ $0 < duration }) ?? false {
      _ = try context.dispatch(timeout: 10_000_000)
    }
    try context.close()
  }
}
