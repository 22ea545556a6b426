import Machine
import Values

/// The page for browsers, and the header fields that keep it alone (serve W10).
struct Page: Sendable {
  private let bytes: [UInt8]
  let securityFields: [HeaderField]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let script = Self.hash(of: "script", in: text)
    let style = Self.hash(of: "style", in: text)
    let policy =
      "default-src 'none'; script-src \(script); style-src \(style); connect-src 'self'; "
      + "img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    securityFields = [
      HeaderField("Content-Security-Policy", policy),
      HeaderField("X-Content-Type-Options", "nosniff"),
      HeaderField("Referrer-Policy", "no-referrer"),
      HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
      HeaderField("Cross-Origin-Opener-Policy", "same-origin"),
      HeaderField("Cache-Control", "no-store"),
    ]
  }

  var answer: HTTPAnswer { HTTPAnswer(200, "text/html; charset=utf-8", .bytes(bytes)) }

  /// The source of what stands in the only element of a name, as a policy names it.
  private static func hash(of element: String, in text: String) -> String {
    guard let begin = text.firstRange(of: "<\(element)>"),
      let end = text[begin.upperBound...].firstRange(of: "</\(element)>")
    else { return "'none'" }
    let content = Array(text[begin.upperBound..<end.lowerBound].utf8)
    return "'sha256-\(String(decoding: Base64.encode(SHA256.hash(content)), as: UTF8.self))'"
  }
}
