import Values

/// Texts of devices, networks and files, made harmless for a reader that takes orders in words.
enum DeviceText {
  /// The longest text or bytes that are shown whole, in bytes.
  static let limit = 1000

  /// A value whose texts have no character that is not seen, and end at the limit.
  ///
  /// Control characters, marks of direction, tags and the like are written as in `\u{202E}`.
  static func safe(_ value: Value) -> Value {
    switch value {
    case .string(let text): .string(safe(text))
    case .bytes(let bytes) where bytes.count > limit: .string("(\(bytes.count) bytes)")
    case .list(let items): .list(items.map(safe))
    case .dictionary(let members):
      .dictionary(ValueDictionary(members.map { (safe($0.key), safe($0.value)) }))
    default: value
    }
  }

  /// A text whose characters are all seen.
  static func safe(_ text: String) -> String {
    var shown = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first, shown.utf8.count < limit {
      if isSeen(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
      rest = rest.dropFirst()
    }
    return rest.isEmpty ? shown : shown + "… (\(String(rest).utf8.count) more bytes)"
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    let facts = scalar.properties
    switch facts.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      return false
    default: return !facts.isDefaultIgnorableCodePoint
    }
  }
}
