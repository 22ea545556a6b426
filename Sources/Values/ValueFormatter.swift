extension Value: CustomStringConvertible {
  /// The value as one line for people, without a unit.
  public var description: String { formatted() }

  /// The value as one line for people, independent of locale (C API R10).
  ///
  /// Numbers are the shortest decimals that read back exactly, with a point and without grouping;
  /// a whole double is written without fraction (`5`), unlike in JSON, where it must not look like
  /// an int. A unit other than nil, empty or `1` follows numbers and vectors after a space and is
  /// ignored for all else. Control characters become U+FFFD. No value is `–`, times are ISO 8601
  /// in UTC, bytes are hexadecimal, dictionaries and lists are JSON.
  public func formatted(unit: String? = nil) -> String {
    let text =
      switch self {
      case .none: "–"
      case .bool(let flag): flag ? "true" : "false"
      case .int(let number): String(number) + Self.suffix(unit)
      case .double(let number): number.shortestText + Self.suffix(unit)
      case .vector(let vector):
        "(" + vector.components.map(\.shortestText).joined(separator: ", ") + ")"
          + Self.suffix(unit)
      case .string(let text): text
      case .bytes(let bytes): bytes.hexadecimal
      case .time(let nanoseconds): CivilTime(nanoseconds: nanoseconds).iso8601
      case .dictionary, .list: displayJSON
      }
    return text.withoutControlCharacters
  }

  private static func suffix(_ unit: String?) -> String {
    switch unit {
    case nil, "", "1": ""
    case let unit?: " " + unit
    }
  }
}

extension Double {
  /// The shortest decimal that reads back as this number; `nan`, `inf` and `-inf` for the others.
  var shortestText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : (isNaN ? "nan" : text)
  }
}
