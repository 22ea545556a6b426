import Values

/// Names that Home Assistant takes: letters, digits, `_` and `-`, each for one thing (fleet F51).
struct EntityNames {
  private var taken: ValueDictionary

  /// Names besides some that are taken.
  init(but taken: ValueDictionary = ValueDictionary()) { self.taken = taken }

  /// A name of what these words name; the second of two that would be alike ends in `_2`.
  mutating func name(_ words: [String]) -> String {
    let plain = Self.plain(words.joined(separator: "_"))
    var name = plain
    var number = 1
    while taken[name] != nil {
      number += 1
      name = plain + "_" + String(number)
    }
    taken[name] = .bool(true)
    return name
  }

  /// A text with `_` for all other characters.
  static func plain(_ text: String) -> String {
    String(decoding: text.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
