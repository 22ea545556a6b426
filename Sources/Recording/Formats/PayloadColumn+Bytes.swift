import Gathering
import Values

extension PayloadColumn {
  /// The tags before columns; for integers those of `Whole`.
  private enum Tag {
    static let none: UInt8 = 0
    static let text: UInt8 = 4
    static let bytes: UInt8 = 5
    static let mixed: UInt8 = 6
    /// And, added to it, how many numbers a row has.
    static let numbers: UInt8 = 0x10
  }

  func write(scale: inout Numbers.Scale?, to out: inout ByteWriter) {
    switch self {
    case .none: out.put(Tag.none)
    case .whole(let whole, let numbers):
      out.put(whole.rawValue)
      numbers.write(to: &out)
    case .numbers(let numbers, let width):
      out.put(Tag.numbers + UInt8(width))
      Numbers.write(numbers, width: width, scale: &scale, to: &out)
    case .words(let isText, let words):
      out.put(isText ? Tag.text : Tag.bytes)
      out.put(varint: words.table.count)
      for value in words.table {
        if case .bytes(let bytes) = value { out.put(counted: bytes) }
        if case .string(let text) = value { out.put(counted: Array(text.utf8)) }
      }
      words.indices.write(to: &out)
    case .mixed(let values):
      out.put(Tag.mixed)
      for value in values { TaggedValue.write(value, to: &out) }
    }
  }

  /// Reads a column of a known number of payloads.
  init(_ reader: inout ByteReader, count: Int) throws(Malformed) {
    let tag = try reader.byte()
    if let whole = Whole(rawValue: tag) {
      self = .whole(whole, try Integers(&reader, count: count))
      return
    }
    switch tag {
    case Tag.none where count == 0: self = .none
    case Tag.text, Tag.bytes:
      self = .words(isText: tag == Tag.text, try Self.words(&reader, tag: tag, count: count))
    case Tag.mixed:
      var values: [Value] = []
      for _ in 0..<count { values.append(try TaggedValue.read(&reader)) }
      self = .mixed(values)
    case Tag.numbers + 1...Tag.numbers + 4:
      let width = Int(tag - Tag.numbers)
      self = .numbers(try Numbers.read(&reader, rows: count, width: width), width: width)
    default: throw Malformed("payloads are packed in an unknown way")
    }
  }

  private static func words(
    _ reader: inout ByteReader, tag: UInt8, count: Int
  ) throws(Malformed) -> Words {
    var words = Words()
    for _ in 0..<(try reader.count(atMost: reader.remaining)) {
      if tag == Tag.text {
        words.table.append(.string(try reader.text()))
      } else {
        words.table.append(.bytes(Array(try reader.counted())))
      }
    }
    words.indices = try Integers(&reader, count: count)
    let places = Int64(0)..<Int64(words.table.count)
    let areThere = (0..<count).allSatisfy { places.contains(words.indices[$0]) }
    if !areThere { throw Malformed("a word is not in its table") }
    return words
  }
}
