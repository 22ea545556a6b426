import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import Recording

/// Recorded rows as tables of typed columns.
struct RecordedTableTests {
  typealias Made = HandMadeRecording
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let types: [PropertyType] = [
    .double, .vector(components: ["x", "y", "z"]), .bool, .int, .time, .string, .bytes,
  ]

  @Test func `every value comes back to the bit, whatever it was packed as`() throws {
    for seed in UInt64(0)..<20 {
      let (table, samples) = RowTableTests.table(seed: seed, rows: 1 + Int(seed * 7 % 300))
      let start = Int(seed) % samples.count
      Self.compare(table, samples, start..<min(samples.count, start + 1 + Int(seed) * 3))
    }
  }

  @Test func `what is the same in many rows fills all of them, and no other`() throws {
    var random = SeededGenerator(seed: 9)
    for seed in UInt64(0)..<10 {
      var rows = RandomRows(seed: seed, properties: 10)
      var samples: [[Sample]] = []
      for _ in 0..<20 {
        let row = rows.next()
        let isToldAgain = Bool.random(using: &random)
        for again in 0..<Int64.random(in: 1...40, using: &random) {
          samples.append(
            row.map { sample in
              var same = sample
              if again > 0 { same.flags.remove([.isNew, .gap]) }
              if isToldAgain { same.time &+= again }
              return same
            })
        }
      }
      var table = RowTable(properties: 10)
      for row in samples { table.append(row) }
      let start = Int.random(in: 0..<samples.count, using: &random)
      for part in [0..<samples.count, start..<samples.count, start..<start + 1] {
        Self.compare(table, samples, part)
      }
    }
  }

  /// Checks the columns of every type that some rows make.
  private static func compare(_ table: RowTable, _ samples: [[Sample]], _ rows: Range<Int>) {
    for (index, column) in table.columns.enumerated() {
      for type in types + [nil] {
        let property = Property("p", type ?? .string, .continuous)
        let target = RecordedColumn(property, isJSON: type == nil)
        let values = ColumnFiller(column, rows: rows).values(of: target)
        let expected = rows.map { row -> String in
          let sample = samples[row][index]
          return text(sample.status.hasPayload ? sample.value : .none, as: type)
        }
        #expect(values.texts(rows.count, type) == expected)
        #expect(values.missingCount == expected.count { $0 == "-" })
      }
    }
  }

  @Test func `a body that was changed fills columns of any type, without a trap`() {
    let (table, _) = RowTableTests.table(seed: 7, rows: 8)
    var scales = [Numbers.Scale?](repeating: nil, count: 10)
    let body = table.body(ofSeries: 3, scales: &scales)
    var generator = SeededGenerator(seed: 4)
    var readCount = 0
    for _ in 0..<2000 {
      var changed = body
      let place = Int.random(in: changed.indices, using: &generator)
      changed[place] ^= UInt8.random(in: 1...255, using: &generator)
      guard let read = try? RowTable(body: changed) else { continue }
      readCount += 1
      for (column, type) in zip(read.columns, Self.types) {
        let target = RecordedColumn(Property("p", type, .continuous))
        let rows = 0..<min(read.rowCount, 50)
        let values = ColumnFiller(column, rows: rows).values(of: target)
        #expect(values.texts(rows.count, type).count == rows.count)
        #expect(column.rowBytes(as: target) > 0)
      }
    }
    #expect(readCount > 100)
  }

  /// A value as `texts` spells it, "-" where a column of a type has none.
  private static func text(_ value: Value, as type: PropertyType?) -> String {
    switch (type, value) {
    case (_, .none): "-"
    case (nil, _): "y\(Array(value.jsonText.utf8))"
    case (.double, .int(let number)): Value.double(Double(number)).exact
    case (.double, .double), (.bool, .bool), (.int, .int), (.time, .time), (.bytes, .bytes):
      value.exact
    case (.vector, .vector(let vector)) where vector.count == 3: value.exact
    case (.string, .string(let text)): "y\(Array(text.utf8))"
    default: "-"
    }
  }

  @Test func `a source that went on with other properties is one table`() throws {
    var made = try Made(in: folder)
    let (a, b) = (Property("a", .int, .continuous), Property("b", .string, .onChange))
    made.add(try Made.source(0, "shaker|s", [b, Property("time", .time, .continuous)]))
    made.add([Made.row(1, [.string("old"), .time(7)])], of: 0)
    made.add(try Made.source(1, "shaker|s", [a, b]))
    made.add([Made.row(2, [.int(5), nil]), Made.row(3, [.int(6), .string("new")])], of: 1)
    let table = try RecordedTable("shaker", of: try made.finished(in: folder))
    #expect(table.name == "shaker|s" && table.rowCount == 3)
    #expect(table.columns.map(\.name) == ["a", "b", "value.time"])
    var cursor = table.cursor
    var rows: [String] = []
    while let batch = try cursor.next() {
      let columns = zip(batch.columns, table.columns).map { values, column in
        values.texts(batch.rowCount, column.property.type)
      }
      for row in 0..<batch.rowCount {
        let seconds = (batch.times[row] - 1_700_000_000_000_000_000) / 1_000_000_000
        #expect(batch.boots[row] == seconds * 1_000_000_000)
        rows.append("\(seconds) " + columns.map { $0[row] }.joined(separator: " "))
      }
    }
    let (old, new) = (Array("old".utf8), Array("new".utf8))
    #expect(rows == ["1 - y\(old) t7", "2 i5 - -", "3 i6 y\(new) -"])
  }

  @Test func `a stream has the type its values have`() throws {
    let streams: [(name: String, values: [Value?], type: PropertyType, isJSON: Bool)] = [
      ("int", [.int(1), nil, .int(2)], .int, false),
      ("number", [.int(1), .double(0.5)], .double, false),
      ("vector", [nil, .vector(Vector(1, 2))], .vector(components: ["x", "y"]), false),
      ("none", [nil], .string, false),
      ("several", [.bool(true), .string("a")], .string, true),
      ("list", [.list([.int(1)])], .string, true),
    ]
    var made = try Made(in: folder)
    for (number, stream) in streams.enumerated() {
      made.add(RecordedSeries(UInt32(number), .stream(stream.name)))
      // Each in a block of its own: no block tells the type of all.
      for (row, value) in stream.values.enumerated() {
        made.add([Made.row(Int64(row), [value])], of: UInt32(number))
      }
    }
    let file = try made.finished(in: folder)
    for stream in streams {
      let column = try #require(try RecordedTable(stream.name, of: file).columns.first)
      #expect(column.property.type == stream.type && column.isJSON == stream.isJSON)
    }
    #expect(try RecordedTable.all(of: file).map(\.name) == streams.map(\.name))
    #expect(throws: SourceError.self) { _ = try RecordedTable("other", of: file) }
  }

  @Test func `a damaged block costs its rows only, and is told`() throws {
    var made = try Made(in: folder)
    made.add(RecordedSeries(0, .stream("n")))
    for row in Int64(0)..<3 { made.add([Made.row(row, [.int(row)])], of: 0) }
    let whole = try made.finished(in: folder)
    let middle = whole.blocks[1]
    var bytes = try LiveStorage().open(whole.path, for: .reading).bytes(at: 0, count: 1 << 20)
    bytes[middle.offset + middle.byteCount - 1] ^= 1
    try folder.write(bytes, to: Made.path)
    let file = try RecordingParts(whole.path)
    var cursor = try RecordedTable("n", of: file).cursor
    var numbers: [String] = []
    while let batch = try cursor.next() {
      numbers += batch.columns[0].texts(batch.rowCount, .int)
    }
    #expect(numbers == ["i0", "i2"] && file.problems.count == 1)
  }

  @Test func `few bytes never make a large batch`() throws {
    var made = try Made(in: folder)
    made.add(try Made.source(0, "shaker|s", [Property("text", .string, .onChange)]))
    let word = Value.string(String(repeating: "é", count: 1 << 19))
    var carried = Made.row(1, [word])[0]
    let first = carried
    carried.flags = []
    made.add([[first]] + [[Sample]](repeating: [carried], count: 119), of: 0)
    var cursor = try RecordedTable("shaker", of: try made.finished(in: folder)).cursor
    var count = 0
    for _ in 0..<3 {
      let batch = try #require(try cursor.next())
      guard case .bytes(let bytes, let starts) = batch.columns[0].content else { return }
      #expect(bytes.count <= 33 << 20 && starts.count == batch.rowCount + 1)
      #expect(bytes.count == batch.rowCount << 20)
      count += batch.rowCount
    }
    #expect(count > 60 && count < 120)
  }
}

extension ColumnValues {
  /// Each value as `Value.exact` spells it, texts as bytes, "-" for none.
  func texts(_ rowCount: Int, _ type: PropertyType?) -> [String] {
    (0..<rowCount).map { row in
      let isValid = validity.isEmpty || validity[row >> 3] >> UInt8(row & 7) & 1 == 1
      guard isValid else { return "-" }
      switch content {
      case .bits(let bits): return "b\(bits[row >> 3] >> UInt8(row & 7) & 1 == 1)"
      case .integers(let numbers): return (type == .time ? "t" : "i") + "\(numbers[row])"
      case .numbers(let numbers, 1): return "d\(numbers[row].bitPattern)"
      case .numbers(let numbers, let width):
        return "v\(numbers[row * width..<(row + 1) * width].map(\.bitPattern))"
      case .bytes(let bytes, let starts):
        return "y\(Array(bytes[Int(starts[row])..<Int(starts[row + 1])]))"
      }
    }
  }
}
