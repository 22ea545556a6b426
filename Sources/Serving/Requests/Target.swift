import Gathering
import Values

/// The target of a request taken apart: the parts of its path, and its parameters.
struct Target: Equatable, Sendable {
  /// One parameter of a query.
  struct Parameter: Equatable, Sendable {
    let name: String
    let value: String
  }

  /// The parts of the path between slashes, decoded; none for `/`.
  let path: [String]
  /// The parameters in their order, decoded.
  let parameters: [Parameter]

  /// Takes a target apart. Refuses what is no path, and what decodes to no text.
  init(_ text: String) throws(Refusal) {
    guard text.hasPrefix("/") else {
      throw Refusal(.invalidArgument, "the target of a request begins with /")
    }
    let cut = text.prefix { $0 != "#" }
    let parts = cut.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      path.append(try Self.decoded(part))
    }
    self.path = path == [""] ? [] : path
    var parameters: [Parameter] = []
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      parameters.append(
        Parameter(
          name: try Self.decoded(sides[0], isQuery: true),
          value: sides.count > 1 ? try Self.decoded(sides[1], isQuery: true) : ""))
    }
    self.parameters = parameters
  }

  /// The text that percent signs, and in queries plus signs, stand for.
  private static func decoded(
    _ text: Substring, isQuery: Bool = false
  ) throws(Refusal) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 else { throw undecodable(text) }
        bytes.append(UInt8(digits[0] * 16 + digits[1]))
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+") where isQuery: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self) else {
      throw undecodable(text)
    }
    return decoded
  }

  private static func undecodable(_ text: Substring) -> Refusal {
    Refusal(.invalidArgument, "\(Array(text.utf8).quotedExcerpt) is not encoded as UTF-8")
  }
}
