import Gathering
import Values

/// The payloads of one property in one block: of one type as long as they all are.
enum PayloadColumn: Sendable {
  /// Whole numbers that stand for truths, integers or moments.
  enum Whole: UInt8 { case bool = 1, int = 2, time = 3 }
  /// Words from a table that all rows of a block share.
  struct Words: Sendable {
    var table: [Value] = []
    var places: [Value: Int] = [:]
    var indices = Integers()
  }

  /// The tags before columns; for integers those of `Whole`.
  private enum Tag {
    static let none: UInt8 = 0
    static let text: UInt8 = 4
    static let bytes: UInt8 = 5
    static let mixed: UInt8 = 6
    /// And, added to it, how many numbers a row has.
    static let numbers: UInt8 = 0x10
  }

  case none
  case whole(Whole, Integers)
  /// Doubles, or the components of vectors.
  case numbers([Double], width: Int)
  case words(isText: Bool, Words)
  case mixed([Value])

  var count: Int {
    switch self {
    case .none: 0
    case .whole(_, let numbers): numbers.count
    case .numbers(let numbers, let width): numbers.count / width
    case .words(_, let words): words.indices.count
    case .mixed(let values): values.count
    }
  }

  subscript(index: Int) -> Value {
    switch self {
    case .none: .none
    case .whole(.bool, let numbers): .bool(numbers[index] != 0)
    case .whole(.int, let numbers): .int(numbers[index])
    case .whole(.time, let numbers): .time(numbers[index])
    case .numbers(let numbers, 1): .double(numbers[index])
    case .numbers(let numbers, let width):
      Vector(numbers[index * width..<(index + 1) * width]).map(Value.vector) ?? .none
    case .words(_, let words): words.table[Int(words.indices[index])]
    case .mixed(let values): values[index]
    }
  }

  mutating func append(_ value: Value) {
    let column = self
    // Released while it grows, so that nothing is copied.
    self = .none
    self = column.appending(value)
  }

  private consuming func appending(_ value: Value) -> PayloadColumn {
    switch (self, value) {
    case (.none, .bool), (.none, .int), (.none, .time): return Self.whole(of: value)
    case (.none, .double(let number)): return .numbers([number], width: 1)
    case (.none, .vector(let vector)): return .numbers(vector.components, width: vector.count)
    case (.none, .string), (.none, .bytes):
      return PayloadColumn.words(isText: value.text != nil, Words()).appending(value)
    case (.whole(.bool, var numbers), .bool(let flag)):
      numbers.append(flag ? 1 : 0)
      return .whole(.bool, numbers)
    case (.whole(.int, var numbers), .int(let number)):
      numbers.append(number)
      return .whole(.int, numbers)
    case (.whole(.time, var numbers), .time(let moment)):
      numbers.append(moment)
      return .whole(.time, numbers)
    case (.numbers(var numbers, 1), .double(let number)):
      numbers.append(number)
      return .numbers(numbers, width: 1)
    case (.numbers(var numbers, let width), .vector(let vector)) where vector.count == width:
      for component in 0..<width { numbers.append(vector[component] ?? .nan) }
      return .numbers(numbers, width: width)
    case (.words(true, let words), .string), (.words(false, let words), .bytes):
      return .words(isText: value.text != nil, words.adding(value))
    case (.mixed(var values), _):
      values.append(value)
      return .mixed(values)
    case (let column, _): return .mixed((0..<column.count).map { column[$0] } + [value])
    }
  }

  private static func whole(of value: Value) -> PayloadColumn {
    var numbers = Integers()
    switch value {
    case .bool(let flag):
      numbers.append(flag ? 1 : 0)
      return .whole(.bool, numbers)
    case .time(let moment):
      numbers.append(moment)
      return .whole(.time, numbers)
    case .int(let number):
      numbers.append(number)
      return .whole(.int, numbers)
    default: return .none
    }
  }

  /// Appends whole rows of numbers, with room for the expected total; false if the column has
  /// another type.
  mutating func append(_ more: ArraySlice<Double>, width: Int, expecting rows: Int) -> Bool {
    switch self {
    case .none: self = .numbers(Array(more), width: width)
    case .numbers(var numbers, width):
      self = .none
      // A column begins with a single row.
      if numbers.count <= width { numbers.reserveCapacity(rows * width) }
      numbers += more
      self = .numbers(numbers, width: width)
    default: return false
    }
    return true
  }

  /// Appends the last payload `more` times.
  mutating func repeatLast(_ more: Int) {
    let column = self
    self = .none
    self = column.repeatingLast(more)
  }

  private consuming func repeatingLast(_ more: Int) -> PayloadColumn {
    switch self {
    case .none: return .none
    case .whole(let whole, var numbers):
      numbers.append(from: numbers[numbers.count - 1], stride: 0, count: more)
      return .whole(whole, numbers)
    case .numbers(var numbers, let width):
      let row = Array(numbers.suffix(width))
      for _ in 0..<more { numbers += row }
      return .numbers(numbers, width: width)
    case .words(let isText, var words):
      words.indices.append(from: words.indices[words.indices.count - 1], stride: 0, count: more)
      return .words(isText: isText, words)
    case .mixed(var values):
      values += repeatElement(values[values.count - 1], count: more)
      return .mixed(values)
    }
  }

  /// The place from which payloads differ from the one at `place`, or the end.
  func endOfSame(from place: Int, before end: Int) -> Int {
    switch self {
    case .whole(_, let numbers): return numbers.endOfSame(from: place, before: end)
    case .words(_, let words): return words.indices.endOfSame(from: place, before: end)
    case .numbers(let numbers, 1):
      let first = numbers[place].bitPattern
      return numbers[place..<end].firstIndex { $0.bitPattern != first } ?? end
    case .none, .numbers, .mixed: return place + 1
    }
  }

  // MARK: Bytes

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

extension PayloadColumn.Words {
  fileprivate consuming func adding(_ value: Value) -> PayloadColumn.Words {
    if let last = indices.last, table[Int(last)] == value {
      indices.append(last)
      return self
    }
    let place = places[value] ?? table.count
    if place == table.count {
      table.append(value)
      places[value] = place
    }
    indices.append(Int64(place))
    return self
  }
}

extension Integers {
  fileprivate func endOfSame(from place: Int, before end: Int) -> Int {
    if constant != nil { return end }
    let first = self[place]
    return (place + 1..<end).first { self[$0] != first } ?? end
  }
}
