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
    _ text: ArraySlice<UInt8>?, from path: String, into reading: inout Reading,
    at properties: [Int]
  ) {
    if let text { understand(text, from: path) }
    for index in 0..<min(properties.count, numbers.count) {
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
    var line: Int?
    var isLineStart = true
    var start = text.startIndex
    while start < text.endIndex {
      var end = start
      while end < text.endIndex, text[end] > 0x20 { end += 1 }
      if isLineStart {
        line = Self.line(text[start..<end])
      } else if let line, let (place, length) = Self.place(text[start..<end]) {
        words[line * Self.numbersPerLine + place] = (start + length)..<end
      }
      isLineStart = end < text.endIndex && text[end] == 10
      start = end + 1
    }
  }

  private static func line(_ word: ArraySlice<UInt8>) -> Int? {
    if word.elementsEqual("some".utf8) { return 0 }
    return word.elementsEqual("full".utf8) ? 1 : nil
  }

  /// Which number a word is, and the length of its key with the sign of equality.
  private static func place(_ word: ArraySlice<UInt8>) -> (Int, Int)? {
    if word.starts(with: "avg10=".utf8) { return (0, 6) }
    if word.starts(with: "avg60=".utf8) { return (1, 6) }
    if word.starts(with: "avg300=".utf8) { return (2, 7) }
    return word.starts(with: "total=".utf8) ? (3, 6) : nil
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
