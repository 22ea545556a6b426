public import Gathering
import Values

/// The word that a request proves itself with (serve W7).
public struct AccessToken: Sendable {
  /// 43 characters of base64url that stand for 32 random bytes, or what a file says.
  public let text: String

  /// How long a file of a token may be, in bytes.
  private static let limit = 4096

  /// A token of 32 random bytes.
  public static func random() -> AccessToken {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
    return AccessToken(
      text: String(
        text.compactMap { character -> Character? in
          switch character {
          case "+": "-"
          case "/": "_"
          case "=": nil
          default: character
          }
        }))
  }

  /// The token that the text of a file is: its first line. Throws `parse` where that is empty, has
  /// other characters than a header may carry, or the file is too long.
  public init(file text: [UInt8]) throws(SourceError) {
    let line = text.prefix { $0 != 10 }.filter { $0 != 13 }
    guard text.count <= Self.limit, !line.isEmpty else {
      throw .parse("a token is one line of 1 to \(Self.limit) characters")
    }
    guard line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .parse("a token has printable ASCII characters without spaces only")
    }
    self.text = String(decoding: line, as: UTF8.self)
  }

  private init(text: String) { self.text = text }

  /// Whether a word is the token, in a time that does not tell how much of it was right.
  func isSame(as word: String) -> Bool {
    let (own, others) = (Array(text.utf8), Array(word.utf8))
    var difference = own.count ^ others.count
    for (place, byte) in others.enumerated() {
      difference |= Int(byte ^ own[place % own.count])
    }
    return difference == 0
  }
}
