import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording

/// The files of a spool, without a broker.
struct SpoolFilesTests {
  private static let series = RecordedSeries(3, .stream("hum"))
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func spool(_ session: String = "a", limit: Int = 1 << 20) throws -> Spool {
    Spool(try SpoolFolder(folder.path, limit: limit, device: "pi"), session: session)
  }

  /// Puts messages of one row in, whose texts have a length.
  private func fill(
    _ spool: Spool, _ numbers: Range<Int>, text: Int = 16, isTaken: Bool = false
  ) -> [SpoolPlace] {
    var packer = SeriesPacker(Self.series)
    return numbers.compactMap { number in
      let run = RecorderRun(series: 0)
      let value = Value.string("\(number) " + String(repeating: "x", count: text))
      run.pieces = [.reading([Sample(value, status: .ok, time: Int64(number), sequence: 1)])]
      run.rows = 1
      guard let (body, count) = packer.pack(run) else { return nil }
      return spool.append(
        Self.series, number: UInt32(number * 3), events: [], body: body, rowCount: count,
        isTaken: isTaken)
    }
  }

  /// All that it has to send.
  private func drain(_ spool: Spool) -> [SpooledRows] {
    var all: [SpooledRows] = []
    while let next = spool.takeNext() { all.append(next) }
    return all
  }

  @Test func `what is given comes back, with session and number, until it is acknowledged`() throws
  {
    let first = try spool()
    #expect(fill(first, 0..<10).count == 10)
    let given = drain(first)
    #expect(given.map(\.number) == (0..<10).map { UInt32($0 * 3) })
    for rows in given.prefix(4) { first.settle(rows.place, rows.series.origin, rows: 1) }
    #expect(first.rowCount == 6)
    first.close()
    #expect(throws: SourceError.io(errno: SystemText.busy, place: folder.path + "/lock")) {
      _ = try spool()
    }
    _ = consume first
    let second = try spool("b")
    #expect(fill(second, 0..<2).count == 2)
    let rest = drain(second)
    #expect(rest.map(\.session) == Array(repeating: "a", count: 6) + ["b", "b"])
    #expect(rest.map(\.number) == (4..<10).map { UInt32($0 * 3) } + [0, 3])
    #expect(rest.allSatisfy { $0.series.origin == .stream("hum") })
    for rows in rest { second.settle(rows.place, rows.series.origin, rows: 1) }
    #expect(second.rowCount == 0)
    second.close()
    #expect(try LiveStorage().names(in: folder.path).filter { $0.hasSuffix(".gkr") }.isEmpty)
  }

  @Test func `the oldest goes beyond the limit, and is counted`() throws {
    let spool = try spool()
    let size = 20_000
    #expect(fill(spool, 0..<120, text: size).count == 120)
    spool.write(mustSync: true)
    let lost = spool.takeLosses().reduce(0) { $0 + $1.rows }
    #expect(spool.byteCount <= 1 << 20 && spool.byteCount > 3 << 18)
    let rest = drain(spool)
    #expect(lost > 60 && lost + rest.count == 120)
    #expect(rest.map(\.number) == (lost..<120).map { UInt32($0 * 3) })
    #expect(spool.takeLosses().isEmpty)
  }

  @Test func `a cursor counts for its own session only`() throws {
    let first = try spool()
    for place in fill(first, 0..<5, isTaken: true) {
      first.settle(place, Self.series.origin, rows: 1)
    }
    first.close()
    _ = consume first
    // The number of the file is free again.
    let second = try spool("b")
    _ = fill(second, 0..<5)
    #expect(drain(second).count == 5)
    second.close()
    _ = consume second
    let third = try spool("c")
    #expect(third.rowCount == 5 && drain(third).count == 5)
  }

  @Test func `a torn end and a torn cursor lose nothing that was whole`() throws {
    let first = try spool()
    _ = fill(first, 0..<5)
    first.close()
    _ = consume first
    let path = folder.path + "/pi.gkr"
    let file = try LiveStorage().open(path, for: .changing)
    let size = try file.size()
    try file.writeAll([0xF5, 0x47, 0x4B, 0xA7, 3, 0], at: size)
    try folder.write([1, 2, 3], to: "/pi.cursor")
    let second = try spool("b")
    #expect(drain(second).map(\.number) == [0, 3, 6, 9, 12])
    second.close()
    let names = try LiveStorage().names(in: folder.path)
    #expect(!names.contains { $0.hasSuffix(".bad") })
  }

  @Test func `of a damaged file what is before the damage is sent, the rest is told`()
    throws
  {
    let first = try spool()
    _ = fill(first, 0..<10, text: 100)
    first.close()
    _ = consume first
    let file = try LiveStorage().open(folder.path + "/pi.gkr", for: .changing)
    let middle = try file.size() / 2
    try file.writeAll([UInt8](repeating: 0, count: 200), at: middle)
    let second = try spool("b")
    let rest = drain(second)
    #expect(rest.count > 2 && rest.count < 8)
    #expect(rest.map(\.number) == (0..<rest.count).map { UInt32($0 * 3) })
    #expect(second.takeLosses().reduce(0) { $0 + $1.rows } > 0)
    for rows in rest { second.settle(rows.place, rows.series.origin, rows: 1) }
    #expect(try LiveStorage().names(in: folder.path).contains("pi.gkr.bad"))
  }

  @Test func `a file that is set aside replaces none that was before`() throws {
    for _ in 0..<2 {
      let first = try spool()
      _ = fill(first, 0..<10, text: 100)
      first.close()
      _ = consume first
      let file = try LiveStorage().open(folder.path + "/pi.gkr", for: .changing)
      try file.writeAll([UInt8](repeating: 0, count: 200), at: try file.size() / 2)
      let second = try spool("b")
      for rows in drain(second) { second.settle(rows.place, rows.series.origin, rows: 1) }
    }
    let names = Set(try LiveStorage().names(in: folder.path))
    #expect(names.isSuperset(of: ["pi.gkr.bad", "pi.gkr.2.bad"]))
  }

  @Test func `F29 a disk that fails takes nothing more, and goes on later`() throws {
    let storage = FaultyStorage()
    let place = try SpoolFolder(folder.path, limit: 1 << 20, device: "pi", in: storage)
    let spool = Spool(place, session: "a")
    #expect(fill(spool, 0..<3).count == 3)
    storage.fail(.write, with: .noSpace)
    spool.write(mustSync: true)
    #expect(!spool.isOnDevice && fill(spool, 3..<6).isEmpty)
    storage.fail(.write, with: nil)
    Patience.wait {
      spool.write(mustSync: false)
      return spool.isOnDevice
    }
    #expect(fill(spool, 6..<8).count == 2)
    #expect(drain(spool).map(\.number) == [0, 3, 6, 18, 21])
  }

  @Test func `ranges join and tell what is missing`() {
    var ranges = RangeSet<Int>()
    for range in [4..<6, 0..<1, 8..<9, 6..<8, 2..<3] { ranges.insert(contentsOf: range) }
    #expect(Array(ranges.ranges) == [0..<1, 2..<3, 4..<9] && ranges.count == 7)
    #expect(ranges.firstMissing(from: 0) == 1 && ranges.firstMissing(from: 4) == 9)
  }
}
