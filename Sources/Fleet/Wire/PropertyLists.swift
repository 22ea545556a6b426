import Gathering
import Recording
import Values

/// What has come in `about`, by its text: lists of properties, and whole descriptions. Machines of
/// one make have the same, which are kept once, and read once.
struct PropertyLists: Sendable {
  /// How long all texts together may be, in bytes.
  private static let limit = 4 << 20
  private static let mark = Array(",\"properties\":[".utf8)

  private var known: [Value: [Property]] = [:]
  /// Whole descriptions, by the check sums of their texts.
  private var descriptions: [UInt32: (text: [UInt8], series: RecordedSeries)] = [:]
  private var size = 0

  /// The list of a text, between its brackets.
  mutating func properties(_ text: Slice<UnsafeRawBufferPointer>) throws(MessageFault) -> [Property]
  {
    let key = Value.bytes(Array(text))
    if let properties = known[key] { return properties }
    let properties = try Self.legal(FleetJSON.items(of: Array(text)))
    makeRoom(for: text.count)
    known[key] = properties
    return properties
  }

  /// The description of a text.
  func series(_ text: [UInt8]) -> RecordedSeries? {
    guard let (known, series) = descriptions[BlockHeader.check(of: text)], known == text else {
      return nil
    }
    return series
  }

  mutating func keep(_ series: RecordedSeries, as text: [UInt8]) {
    makeRoom(for: text.count)
    descriptions[BlockHeader.check(of: text)] = (text, series)
  }

  private mutating func makeRoom(for count: Int) {
    if size + count > Self.limit { (known, descriptions, size) = ([:], [:], 0) }
    size += count
  }

  /// The legal ones of the properties that a list tells, each key once.
  static func legal(_ rows: [Value]) throws(MessageFault) -> [Property] {
    guard rows.count <= FleetJSON.propertyLimit else { throw .tooMany }
    var keys: Set<String> = []
    return rows.compactMap(\.legalProperty).filter { keys.insert($0.key).inserted }
  }

  /// Where the value of the member `properties` may be, brackets included. What the place really is
  /// shows when the text is read without it.
  static func place(in text: UnsafeRawBufferPointer) -> Range<Int>? {
    guard let start = text.firstPlace(of: mark).map({ $0 + mark.count - 1 }) else { return nil }
    var (depth, isText, place) = (0, false, start)
    while place < text.count {
      switch (text[place], isText) {
      case (UInt8(ascii: "\\"), true): place += 1
      case (UInt8(ascii: "\""), _): isText.toggle()
      case (UInt8(ascii: "["), false): depth += 1
      case (UInt8(ascii: "]"), false): depth -= 1
      default: break
      }
      place += 1
      if depth == 0 { return start..<place }
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Where some bytes stand first.
  func firstPlace(of mark: [UInt8]) -> Int? {
    let last = count - mark.count
    var start = 0
    while start <= last {
      if self[start] == mark[0], self[start..<start + mark.count].elementsEqual(mark) {
        return start
      }
      start += 1
    }
    return nil
  }
}

extension Value {
  /// A property as ours may be, which it describes.
  fileprivate var legalProperty: Property? {
    guard let members, let property = Property(members), let key = members["key"]?.text,
      (try? PropertyIdentifier(parsing: "kind|x/\(key)")) != nil
    else { return nil }
    guard let unit = members["unit"]?.text else { return property }
    return (try? UnitConversion(from: unit, to: unit)) == nil ? nil : property
  }
}
