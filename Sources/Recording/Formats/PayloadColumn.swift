import Gathering
import Values

/// The payloads of one property in one block: of one type as long as they all are.
enum PayloadColumn: Sendable {
  /// Whole numbers that stand for truths, integers or moments.
  enum Whole: UInt8 { case bool = 1, int = 2, time = 3 }
  /// Words from a table that all rows of a block share.
  struct Words: Sendable {
    var table: [Value] = []
    /// Where each stands, once they are many.
    var places: [Value: Int] = [:]
    static let few = 8
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

  // What grows is taken out first: what two hold would be copied for each value.

  mutating func append(_ value: Value) {
    switch value {
    case .double(let number):
      guard append(CollectionOfOne(number), width: 1, expecting: 1) else { return mix(value) }
    case .vector(let vector):
      let width = vector.count
      guard append(vector.components, width: width, expecting: 1) else { return mix(value) }
    case .string, .bytes:
      guard var words = takeWords(ofText: value.text != nil) else { return mix(value) }
      words.add(value)
      self = .words(isText: value.text != nil, words)
    default:
      guard let (whole, number) = Self.whole(value), var numbers = takeWhole(whole) else {
        return mix(value)
      }
      numbers.append(number)
      self = .whole(whole, numbers)
    }
  }

  /// Appends a value of another type than the others.
  private mutating func mix(_ value: Value) {
    var values: [Value] = []
    if case .mixed(let own) = self { values = own } else { values = (0..<count).map { self[$0] } }
    self = .none
    values.append(value)
    self = .mixed(values)
  }

  private static func whole(_ value: Value) -> (Whole, Int64)? {
    switch value {
    case .bool(let flag): (.bool, flag ? 1 : 0)
    case .int(let number): (.int, number)
    case .time(let moment): (.time, moment)
    default: nil
    }
  }

  @inline(never)
  private mutating func takeNumbers(ofWidth wanted: Int) -> [Double]? {
    switch self {
    case .none: return []
    case .numbers(let numbers, wanted):
      self = .none
      return numbers
    default: return nil
    }
  }

  @inline(never)
  private mutating func takeWhole(_ wanted: Whole) -> Integers? {
    switch self {
    case .none: return Integers()
    case .whole(wanted, let numbers):
      self = .none
      return numbers
    default: return nil
    }
  }

  @inline(never)
  private mutating func takeWords(ofText wanted: Bool) -> Words? {
    switch self {
    case .none: return Words()
    case .words(wanted, let words):
      self = .none
      return words
    default: return nil
    }
  }

  /// Appends whole rows of numbers, with room for the expected total; false if the column has
  /// another type.
  mutating func append(
    _ more: some Collection<Double>, width: Int, expecting rows: Int
  ) -> Bool {
    guard var numbers = takeNumbers(ofWidth: width) else { return false }
    // A column begins with a single row.
    if numbers.count <= width { numbers.reserveCapacity(rows * width) }
    numbers.append(contentsOf: more)
    self = .numbers(numbers, width: width)
    return true
  }

  /// Appends the last payload `more` times.
  mutating func repeatLast(_ more: Int) {
    switch self {
    case .none: return
    case .whole(let whole, _):
      guard var numbers = takeWhole(whole) else { return }
      numbers.repeatLast(more)
      self = .whole(whole, numbers)
    case .words(let isText, _):
      guard var words = takeWords(ofText: isText) else { return }
      words.indices.repeatLast(more)
      self = .words(isText: isText, words)
    case .numbers, .mixed:
      let last = self[count - 1]
      for _ in 0..<more { append(last) }
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
  fileprivate mutating func add(_ value: Value) {
    if let last = indices.last, table[Int(last)] == value { return indices.append(last) }
    let place = place(of: value) ?? table.count
    if place == table.count { table.append(value) }
    indices.append(Int64(place))
  }

  /// Where a value stands. A few are compared: a long one takes longer to be hashed.
  private mutating func place(of value: Value) -> Int? {
    if table.count < Self.few { return table.firstIndex(of: value) }
    for place in places.count..<table.count { places[table[place]] = place }
    return places[value]
  }
}

extension Integers {
  fileprivate mutating func repeatLast(_ more: Int) {
    if let last { append(from: last, stride: 0, count: more) }
  }

  fileprivate func endOfSame(from place: Int, before end: Int) -> Int {
    if constant != nil { return end }
    let first = self[place]
    return (place + 1..<end).first { self[$0] != first } ?? end
  }
}
