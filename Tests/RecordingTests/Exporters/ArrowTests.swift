import GatheredKitTesting
import Gathering
import Testing
import Values

@testable import Recording

/// How recorded rows are laid out for Arrow.
struct ArrowTests {
  typealias Made = HandMadeRecording
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let properties = [
    Property("flag", .bool, .onChange),
    Property("count", .int, unit: "1", .continuous, range: 0...10),
    Property("turn", .vector(components: ["x", "y"]), unit: "rad", .continuous),
    Property("state", .enumeration(["on", "off"]), .onChange),
    Property("raw", .bytes, .onChange),
    Property("seen", .time, .onChange),
  ]

  private func table() throws -> RecordedTable {
    var made = try Made(in: folder)
    made.add(try Made.source(0, "shaker|s", Self.properties))
    made.add(
      [
        Made.row(
          1,
          [.bool(true), .int(5), .vector(Vector(1, 2)), .string("on"), .bytes([1, 2]), .time(9)]),
        Made.row(2, [.bool(false), nil, nil, .string("off"), nil, nil]),
      ], of: 0)
    return try RecordedTable("shaker", of: try made.finished(in: folder))
  }

  @Test func `a table is a record of its times and its columns`() throws {
    let field = ArrowField(try table())
    #expect(field.format == "+s" && field.name == "" && !field.isNullable)
    #expect(field.metadata.map(\.key) == ["source", "kind", "label"])
    #expect(field.metadata[0].text == "shaker|s" && field.metadata[1].text == "shaker")
    #expect(
      field.children.map(\.name)
        == ["time", "boot", "flag", "count", "turn", "state", "raw", "seen"])
    #expect(
      field.children.map(\.format) == ["tsn:UTC", "l", "b", "l", "+w:2", "u", "z", "tsn:UTC"])
    #expect(field.children.map(\.isNullable) == [false, false] + Array(repeating: true, count: 6))
    let item = try #require(field.children[4].children.first)
    #expect(item.format == "g" && item.name == "item" && !item.isNullable)
  }

  @Test func `a column says what its property is`() throws {
    let fields = ArrowField(try table()).children
    func text(_ key: String, of index: Int) -> String? {
      fields[index].metadata.first { $0.key == key }?.text
    }
    #expect(text("key", of: 3) == "count" && text("unit", of: 3) == "1")
    #expect(text("range", of: 3) == "0.0,10.0")
    #expect(text("components", of: 4) == "x,y")
    #expect(text("type", of: 5) == "enum" && text("words", of: 5) == "on,off")
    #expect(fields[0].encodedMetadata == nil)
  }

  @Test func `metadata is counted pairs, those without text left out`() throws {
    let bytes = try #require(ArrowField(try table()).children[2].encodedMetadata)
    // The key and the name: this property has no unit.
    var expected: [UInt8] = []
    for part in [2] { withUnsafeBytes(of: Int32(part)) { expected += $0 } }
    for text in ["key", "flag", "name", "Flag"] {
      withUnsafeBytes(of: Int32(text.utf8.count)) { expected += $0 }
      expected += text.utf8
    }
    #expect(bytes == expected)
  }

  @Test func `rows are buffers of the format, a missing one without its bit`() throws {
    var cursor = try table().cursor
    let batch = ArrowColumn(try #require(try cursor.next()))
    #expect(batch.rowCount == 2 && batch.missingCount == 0)
    #expect(batch.validity.isEmpty && batch.buffers.isEmpty)
    let columns = batch.children
    #expect(columns.count == 8)
    #expect(columns[1].buffers == [.integers([1_000_000_000, 2_000_000_000])])
    #expect(columns[2].buffers == [.bytes([0b01])] && columns[2].validity.isEmpty)
    #expect(columns[3].buffers == [.integers([5, 0])])
    #expect(columns[3].missingCount == 1 && columns[3].validity == [0b01])
    #expect(columns[4].buffers.isEmpty && columns[4].missingCount == 1)
    #expect(columns[4].children.map(\.rowCount) == [4])
    guard case .numbers(let numbers)? = columns[4].children[0].buffers.first else {
      Issue.record("no components")
      return
    }
    #expect(numbers.count == 4 && numbers[0] == 1 && numbers[1] == 2)
    #expect(columns[5].buffers == [.starts([0, 2, 5]), .bytes(Array("onoff".utf8))])
    #expect(columns[6].buffers == [.starts([0, 2, 2]), .bytes([1, 2])])
    #expect(columns[6].missingCount == 1 && columns[6].validity == [0b01])
    #expect(columns[7].buffers == [.integers([9, 0])])
  }
}
