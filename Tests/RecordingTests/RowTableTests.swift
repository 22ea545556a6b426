import Gathering
import GatheredKitTesting
import Testing

@testable import Recording

/// Blocks of rows: what comes out is what went in, and nothing that went wrong comes out.
struct RowTableTests {
  static func table(seed: UInt64, rows: Int) -> (RowTable, [[Sample]]) {
    var random = RandomRows(seed: seed, properties: 10)
    let samples = (0..<rows).map { _ in random.next() }
    var table = RowTable(properties: 10)
    for row in samples { table.append(row) }
    return (table, samples)
  }

  @Test func `samples of every type and status come back to the bit`() throws {
    for seed in UInt64(0)..<60 {
      let (table, samples) = Self.table(seed: seed, rows: 1 + Int(seed * 7 % 300))
      var scales = [Numbers.Scale?](repeating: nil, count: 10)
      let body = table.body(ofSeries: 3, scales: &scales)
      let read = RecordedRows(series: 3, try RowTable(body: body))
      #expect(read.rowCount == samples.count && read.propertyCount == 10)
      for (row, expected) in samples.enumerated() {
        #expect(read.samples(ofRow: row).map(\.exact) == expected.map(\.exact))
      }
    }
  }

  @Test func `a value that is carried on takes no room`() {
    var table = RowTable(properties: 2)
    let constant = Sample(.string("calibrated"), time: 5, realtime: 6, sequence: 1)
    var carried = constant
    carried.flags = []
    for row in 0..<4000 {
      let tick = Sample(
        .int(Int64(row)), time: 10 + Int64(row), realtime: 20 + Int64(row),
        sequence: UInt64(row + 1))
      table.append([tick, row == 0 ? constant : carried])
    }
    var scales: [Numbers.Scale?] = [nil, nil]
    #expect(table.body(ofSeries: 0, scales: &scales).count < 200)
    #expect(table.sample(row: 3999, property: 1).exact == carried.exact)
  }

  @Test func `a body that was changed is refused or read as other rows, without a trap`() {
    let (table, _) = Self.table(seed: 7, rows: 8)
    var scales = [Numbers.Scale?](repeating: nil, count: 10)
    let body = table.body(ofSeries: 3, scales: &scales)
    var generator = SeededGenerator(seed: 2)
    for place in body.indices {
      var changed = body
      changed[place] = UInt8.random(in: 0...255, using: &generator)
      for bytes in [changed, Array(body[..<place])] {
        guard let read = try? RowTable(body: bytes) else { continue }
        let rows = RecordedRows(series: 0, read)
        for row in 0..<min(rows.rowCount, 50) { _ = rows.samples(ofRow: row) }
      }
    }
  }

  @Test func `few bytes cannot ask for much memory`() {
    // A property whose entries are all there is to say, as often as a body has room for it.
    var body = ByteWriter()
    body.put32(0)
    body.put32(65_536)
    for _ in 0..<4 { body.put64(0) }
    let properties = 400
    body.put(varint: properties)
    body.put([0, 0, 0, 0, 0, 0, 0])
    for _ in 0..<properties {
      // Packed: no bits a number, 512 groups.
      body.put(varint: 65_536)
      body.put([0, 0, 2, 1, 0])
      for _ in 0..<512 { body.put([0, 0]) }
      body.put([0, 1])
      body.put(varint: 65_536)
      body.put([0, 0, 0, 0])
    }
    #expect(throws: Malformed.self) { try RowTable(body: body.bytes) }
  }
}
