import Gathering
import Values

/// The text of a file in `/proc/pressure`: a line for `some`, usually one for `full`.
///
/// It seldom changes on a machine with room, and then the numbers are those of before.
struct PressureText {
  /// The places of a line's numbers: three averages in percent, then the total in microseconds.
  static let numbersPerLine = 4

  private var words = [Range<Int>?](repeating: nil, count: 2 * numbersPerLine)
  private var numbers = [Double?](repeating: nil, count: 2 * numbersPerLine)
  /// Why there are no numbers, by place; what is left where there is one means nothing.
  private var absences = [KeptOutcome](repeating: empty, count: 2 * numbersPerLine)
  private var unreported: KeptOutcome?
  private static let empty = KeptOutcome(.noData("empty text"))

  /// Sets the properties of the first lines: the four numbers of `some`, then those of `full`, as
  /// far as there are properties for them.
  ///
  /// `text` is nil if it is that of the last time. A line or number that is not there is
  /// `unsupported`.
  mutating func parse(
    _ text: ArraySlice<UInt8>?, from path: @autoclosure () -> String, into reading: inout Reading,
    at properties: [Int]
  ) {
    let count = min(properties.count, numbers.count)
    if let text {
      understand(text, from: path())
    } else if let last = numbers[..<count].last ?? nil,
      reading.has(last, at: properties[count - 1])
    {
      // It was put last, so that a reading which has it has the rest.
      return
    }
    for index in 0..<count {
      if let number = numbers[index] {
        reading.set(properties[index], to: number)
      } else {
        reading.set(properties[index], to: absences[index])
      }
    }
  }

  private mutating func understand(_ text: ArraySlice<UInt8>, from path: String) {
    let isEmpty = NumberText.trimmed(text).isEmpty
    find(in: text)
    let absence = isEmpty ? Self.empty : absence(in: path)
    for (index, word) in words.enumerated() {
      let isTotal = index % Self.numbersPerLine == 3
      numbers[index] = word.flatMap { Self.number(text[$0], isTotal: isTotal) }
      if numbers[index] != nil { continue }
      absences[index] = word.map { KeptOutcome(.unparsable(text[$0])) } ?? absence
    }
  }

  /// The outcome of a missing line or number.
  private mutating func absence(in path: String) -> KeptOutcome {
    if let unreported { return unreported }
    let new = KeptOutcome(.unsupported("\(path) does not report it"))
    unreported = new
    return new
  }

  /// The bytes of the line a number stood on.
  func line(of index: Int, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let word = words[index], word.upperBound <= text.endIndex else { return nil }
    let start = text[..<word.lowerBound].lastIndex(of: 10).map { $0 + 1 } ?? text.startIndex
    let end = text[word.upperBound...].firstIndex(of: 10) ?? text.endIndex
    return text[start..<end]
  }

  private mutating func find(in text: ArraySlice<UInt8>) {
    for index in words.indices { words[index] = nil }
    let (bytes, first) = (text.span, text.startIndex)
    var line: Int?
    var isLineStart = true
    var start = 0
    while start < bytes.count {
      let key = Self.key(in: bytes, from: start)
      var end = key.end
      while end < bytes.count, bytes[end] > 0x20 { end &+= 1 }
      if isLineStart {
        line = end == key.end ? Self.line(key.letters) : nil
      } else if let line, end > key.end, let place = Self.place(key.letters) {
        words[line * Self.numbersPerLine + place] = (first + key.end + 1)..<(first + end)
      }
      isLineStart = end < bytes.count && bytes[end] == 10
      start = end + 1
    }
  }

  /// The letters of a word up to a sign of equality, as one number, and the place behind them. No
  /// key is longer than such a number.
  private static func key(
    in bytes: Span<UInt8>, from start: Int
  ) -> (letters: UInt64, end: Int) {
    var letters: UInt64 = 0
    var end = start
    while end < bytes.count, bytes[end] > 0x20, bytes[end] != 0x3D {
      letters = letters << 8 | UInt64(bytes[end])
      end &+= 1
    }
    return (end - start > 8 ? 0 : letters, end)
  }

  private static func line(_ key: UInt64) -> Int? {
    switch key {
    case 0x73_6F6D65: 0  // some
    case 0x66_756C6C: 1  // full
    default: nil
    }
  }

  /// Which number of a line a key names.
  private static func place(_ key: UInt64) -> Int? {
    switch key {
    case 0x61_76673130: 0  // avg10
    case 0x61_76673630: 1  // avg60
    case 0x6176_67333030: 2  // avg300
    case 0x74_6F74616C: 3  // total
    default: nil
    }
  }

  /// Percent, or a total in seconds; nil if the word is no such number.
  private static func number(_ word: ArraySlice<UInt8>, isTotal: Bool) -> Double? {
    if isTotal {
      guard let micros = NumberText.integer(word), micros >= 0 else { return nil }
      return Double(micros) / 1e6
    }
    guard let percent = NumberText.decimal(word), percent >= 0 else { return nil }
    return percent
  }
}
