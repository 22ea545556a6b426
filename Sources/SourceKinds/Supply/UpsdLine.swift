/// One line of upsd's protocol: its words, with quotation marks and backslashes undone.
struct UpsdLine: Equatable, Sendable {
  let words: [[UInt8]]

  /// Takes a line apart; nil for one that holds a NUL or a quotation without end.
  init?(_ line: [UInt8]) {
    var words: [[UInt8]] = []
    // Nil between words: a quotation may be an empty word.
    var word: [UInt8]?
    var isQuoted = false
    var isEscaped = false
    for byte in line {
      if byte == 0 { return nil }
      if isEscaped {
        word = (word ?? []) + [byte]
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
        word = word ?? []
      } else if byte == 0x20 && !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? []) + [byte]
      }
    }
    if isQuoted || isEscaped { return nil }
    if let word { words.append(word) }
    self.words = words
  }

  /// The words behind the first ones, if the line begins with these.
  func rest(after start: [String]) -> ArraySlice<[UInt8]>? {
    guard words.count >= start.count,
      zip(words, start).allSatisfy({ $0.elementsEqual($1.utf8) })
    else { return nil }
    return words.dropFirst(start.count)
  }
}

/// A question to upsd, and its answer as far as it has come.
struct UpsdAnswer: Sendable {
  enum Question: Equatable, Sendable {
    case devices
    case variables(of: String)
  }

  /// What a line does to the answer.
  enum Step: Equatable, Sendable {
    case goesOn
    case ends
    /// An error, in upsd's word: `DATA-STALE`.
    case fails(String)
    /// This is not upsd's protocol.
    case isForeign
  }

  let question: Question
  /// The rows of the list: the name of a device and its description, or the name of a variable and
  /// its value.
  private(set) var rows: [(name: String, value: [UInt8])] = []
  private var hasBegun = false

  /// The most rows taken; what follows them is left out.
  static let limit = 1000
  /// The longest name taken, in bytes.
  private static let longestName = 255

  init(to question: Question) { self.question = question }

  /// What is sent.
  var text: String { (["LIST"] + words).joined(separator: " ") + "\n" }

  private var words: [String] {
    switch question {
    case .devices: ["UPS"]
    case .variables(let name): ["VAR", name]
    }
  }

  /// Takes a line; one that does not parse costs itself only.
  mutating func take(_ bytes: [UInt8]) -> Step {
    guard let line = UpsdLine(bytes) else { return hasBegun ? .goesOn : .isForeign }
    if let error = line.rest(after: ["ERR"])?.first {
      return .fails(String(decoding: error, as: UTF8.self))
    }
    guard hasBegun else {
      hasBegun = line.rest(after: ["BEGIN", "LIST"] + words)?.isEmpty == true
      return hasBegun ? .goesOn : .isForeign
    }
    if line.rest(after: ["END", "LIST"] + words)?.isEmpty == true { return .ends }
    if let row = line.rest(after: words), row.count == 2, rows.count < Self.limit,
      let name = Self.name(row[row.startIndex]), let value = row.last
    {
      rows.append((name, value))
    }
    return .goesOn
  }

  /// A name that can be sent back as it is; nil for any other.
  private static func name(_ bytes: [UInt8]) -> String? {
    let isPlain = bytes.allSatisfy { byte in
      byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    guard isPlain, (1...longestName).contains(bytes.count) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
