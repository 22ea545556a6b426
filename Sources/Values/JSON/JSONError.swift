/// Why a text is not a value.
public enum JSONReadError: Error, Hashable {
  /// The text is not JSON as RFC 8259 has it, names a member twice, or holds a number that no
  /// double can.
  case parse(ParseError)
  /// The nesting is deeper than 128.
  case limit(ParseError)

  /// Where and why.
  public var detail: ParseError {
    switch self {
    case .parse(let detail), .limit(let detail): detail
    }
  }
}

extension JSONReadError: CustomStringConvertible {
  /// `byte N: reason` (C API R8).
  public var description: String { detail.description }
}

/// Why a value cannot be written.
public enum JSONWriteError: Error, Hashable {
  /// JSON cannot express NaN and the infinities.
  case notFinite
  /// The nesting is deeper than 128, so that the text could not be read again.
  case tooDeep
}

extension JSONWriteError: CustomStringConvertible {
  /// One plain sentence.
  public var description: String {
    switch self {
    case .notFinite: "JSON has no spelling for NaN and infinite numbers."
    case .tooDeep: "The value is nested more than \(JSON.depthLimit) deep."
    }
  }
}

/// Constants shared by reader and writer.
enum JSON {
  /// How deep arrays and objects may be nested (C API R11).
  static let depthLimit = 128

  /// The names under which an object of one member spells a type that JSON does not have.
  static let vectorName = "vector"
  static let bytesName = "bytes"
  static let timeName = "time_ns"
}
