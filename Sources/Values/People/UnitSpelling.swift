/// A UCUM code as people write it: `m/s2` is m/s², `Cel` °C, `dB{mW}` dBm, `{r}/min` rpm.
enum UnitSpelling {
  /// The spelling; empty for a plain number. A code that is not understood is left as it is.
  static func spelling(of code: String) -> String {
    if let known = known[code] { return known }
    guard (try? UnitParser.parse(code)) != nil else { return code }
    var spelling = ""
    var term = ""
    var isAnnotation = false
    for character in code {
      if isAnnotation || (character != "." && character != "/") {
        term.append(character)
        if character == "{" { isAnnotation = true }
        if character == "}" { isAnnotation = false }
      } else {
        spelling += Self.spelling(ofTerm: term) + (character == "." ? "·" : "/")
        term = ""
      }
    }
    spelling += Self.spelling(ofTerm: term)
    return spelling.hasPrefix("/") ? "1" + spelling : spelling
  }

  /// An atom with its prefix, exponent and annotation.
  private static func spelling(ofTerm term: String) -> String {
    let end = term.firstIndex(of: "{") ?? term.endIndex
    let (head, annotation) = (term[..<end], term[end...].dropFirst().dropLast())
    switch head {
    // What stands alone is a unit of its own.
    case "": return String(annotation)
    case "1": return ""
    case "B", "dB": return head + reference(annotation)
    default: break
    }
    let exponent = head.reversed().prefix { "+-0123456789".contains($0) }.reversed()
    return spelling(ofAtom: String(head.dropLast(exponent.count)))
      + exponent.compactMap { raised[$0] }
  }

  /// An atom, or a prefix and an atom.
  private static func spelling(ofAtom name: String) -> String {
    if let spelling = atoms[name] { return spelling }
    if UnitAtom.named(name) != nil { return name }
    for length in 1...2 {
      let stem = String(name.dropFirst(length))
      guard UnitAtom.named(stem) != nil else { continue }
      let prefix = name.prefix(length)
      return (prefix == "u" ? "µ" : prefix) + (atoms[stem] ?? stem)
    }
    return name
  }

  /// What a level is measured against: `dB{mW}` is known as dBm, `dB{FS}` as dBFS.
  private static func reference(_ annotation: Substring) -> String {
    annotation == "mW" ? "m" : String(annotation)
  }

  private static let raised: [Character: Character] = [
    "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷",
    "8": "⁸", "9": "⁹",
  ]

  private static let atoms = [
    "By": "B", "Cel": "°C", "[degF]": "°F", "deg": "°", "Ohm": "Ω", "[g]": "g",
    "[ppm]": "ppm",
  ]

  /// Units whose names are not made of their parts.
  private static let known = [
    "": "", "1": "", "{r}/min": "rpm", "W.h": "Wh", "kW.h": "kWh", "A.h": "Ah", "mA.h": "mAh",
    "V.A": "VA",
  ]
}
