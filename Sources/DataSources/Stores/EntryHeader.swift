import Ground
import Machine

/// What stands at the start of an entry's file (data sources L33): magic, shape, key text and how
/// long each value is. The values follow.
struct EntryHeader {
  let key: String
  let isList: Bool
  let lengths: [Int]
  /// Where the first value starts.
  let start: Int

  private static let magic = Array("GKITENT1".utf8)
  /// The magic, the shape in four bytes and the length of the rest in four.
  private static let fixed = 16

  /// A whole file.
  static func file(_ id: EntryID, _ content: StoredContent) -> [UInt8] {
    var rest = number(id.key.utf8.count, 4) + Array(id.key.utf8) + number(content.items.count, 4)
    for item in content.items { rest += number(item.bytes.count, 8) }
    let start = magic + number(content.isList ? 1 : 0, 4) + number(rest.count, 4) + rest
    return content.items.reduce(into: start) { $0 += $1.bytes }
  }

  /// The header of a file; nil when the file is none of ours. Throws `serialization` when it was
  /// and is damaged.
  init?(_ file: any EntryFile) throws(DataSourceError) {
    let fixed = try Self.bytes(of: file, at: 0, Self.fixed)
    guard fixed.starts(with: Self.magic) else { return nil }
    guard fixed.count == Self.fixed else { throw .damaged }
    let shape = Self.number(fixed[8..<12])
    let length = Self.number(fixed[12..<16])
    guard shape < 2, length >= 8, length <= file.size - Self.fixed else { throw .damaged }
    let rest = try Self.bytes(of: file, at: Self.fixed, length)
    guard rest.count == length else { throw .damaged }
    let keyEnd = 4 + Self.number(rest[0..<4])
    guard keyEnd <= length - 4,
      let key = String(validating: rest[4..<keyEnd], as: UTF8.self)
    else { throw .damaged }
    let count = Self.number(rest[keyEnd..<(keyEnd + 4)])
    guard length - keyEnd - 4 == count * 8, shape == 1 || count == 1 else { throw .damaged }
    self.key = key
    isList = shape == 1
    start = Self.fixed + length
    lengths = (0..<count).map { index in
      let place = keyEnd + 4 + index * 8
      return Self.number(rest[place..<(place + 8)])
    }
    try check(against: file.size)
  }

  /// A file is exactly as long as its header says.
  private func check(against size: Int) throws(DataSourceError) {
    var left = size - start
    for length in lengths {
      guard length >= 0, length <= left else { throw .damaged }
      left -= length
    }
    if left != 0 { throw .damaged }
  }

  /// The values of a range, of which only these are read.
  func items(
    _ range: Range<Int>, of file: any EntryFile
  ) throws(DataSourceError) -> [StoredItem] {
    var place = start + lengths[..<range.lowerBound].reduce(0, +)
    var items: [StoredItem] = []
    for length in lengths[range] {
      let bytes = try Self.bytes(of: file, at: place, length)
      guard bytes.count == length else { throw .damaged }
      items.append(StoredItem(type: .bytes, bytes: bytes))
      place += length
    }
    return items
  }

  private static func bytes(
    of file: any EntryFile, at place: Int, _ count: Int
  ) throws(DataSourceError) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(at: place, count: count)
    } catch {
      throw DataSourceError(error)
    }
  }

  /// A number in so many bytes, the lowest first.
  private static func number(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
