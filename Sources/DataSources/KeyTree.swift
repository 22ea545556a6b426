/// A structured id, on its way to its key text (data sources L9).
package indirect enum KeyTree: Sendable {
  /// What is written as it is: `null`, `true`, `false` and numbers.
  case word(String)
  /// Text.
  case text(String)
  /// A list.
  case list([KeyTree])
  /// Members; of two with one name the later one counts.
  case members([(String, KeyTree)])

  /// A whole number.
  package static func number(_ number: some BinaryInteger) -> KeyTree { .word(String(number)) }

  /// A floating-point number in the fewest digits that read back as it; both zeros are `0`.
  ///
  /// Throws `illegalArgument` for NaN and infinities.
  package static func number(_ number: Double) throws(DataSourceError) -> KeyTree {
    guard number.isFinite else {
      throw DataSourceError(.illegalArgument, "an id holds no number that is not finite")
    }
    return number == 0 ? .word("0") : .shortened(number.description)
  }

  /// A number as it describes itself, without the fraction that a whole one is given.
  package static func shortened(_ digits: String) -> KeyTree {
    .word(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
  }
}

extension EntryID {
  /// The id of a structured value: a text is its own key text, anything else its canonical JSON.
  ///
  /// Throws `illegalArgument` for the empty text and for what is nested over 128 deep.
  package init(_ tree: KeyTree) throws(DataSourceError) {
    if case .text(let text) = tree {
      self = try EntryID(text).checked()
    } else {
      var writer = CanonicalWriter()
      try writer.write(tree, depth: 0)
      self.init(String(decoding: writer.bytes, as: UTF8.self))
    }
  }
}

/// Writes JSON of which there is one spelling: members in the order of bytes, no blanks.
private struct CanonicalWriter {
  var bytes: [UInt8] = []

  mutating func write(_ tree: KeyTree, depth: Int) throws(DataSourceError) {
    if depth > 128 { throw DataSourceError(.illegalArgument, "an id is nested at most 128 deep") }
    switch tree {
    case .word(let word): bytes += word.utf8
    case .text(let text): write(text)
    case .list(let items):
      try write(items, "[", "]") { (writer, item) throws(DataSourceError) in
        try writer.write(item, depth: depth + 1)
      }
    case .members(let members):
      let latest = Dictionary(
        members.map { (EntryID($0.0), $0.1) }, uniquingKeysWith: { $1 })
      try write(latest.sorted { $0.key < $1.key }, "{", "}") {
        (writer, member) throws(DataSourceError) in
        writer.write(member.key.key)
        writer.bytes.append(UInt8(ascii: ":"))
        try writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func write<Item>(
    _ items: [Item], _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ each: (inout CanonicalWriter, Item) throws(DataSourceError) -> Void
  ) throws(DataSourceError) {
    bytes.append(UInt8(ascii: opening))
    var isFirst = true
    for item in items {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      try each(&self, item)
    }
    bytes.append(UInt8(ascii: closing))
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
