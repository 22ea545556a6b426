/// The pages of law, and what may be cited of each.
enum LawPages {
  /// Where they stand.
  static let folder = "Sources/GatheredKit/GatheredKit.docc/Laws/"

  /// The words by which texts cite a page, and its file.
  private static let files = [
    "sources": "Sources", "streams": "Streams", "patches": "Patches", "data sources": "DataSources",
    "c api": "CInterface", "python api": "PythonInterface", "catalogue": "Catalogue",
    "fleet": "Fleet",
    "serve": "Serving",
  ]

  /// The words by which texts cite the page in a file of that name; nil if it is none of law.
  static func word(of name: String) -> String? { files.first { $0.value == name }?.key }

  /// The labels of each page's laws (`L3`), rules (`27`) and sections (`4.13`).
  static let labels: [String: Set<String>] = files.mapValues { name in
    Set(Checkout.text(folder + name + ".md").split(separator: "\n").flatMap(labels))
  }

  /// The letters with which labels begin.
  static let letters: Set<UInt8> = Set(
    labels.values.flatMap { $0 }.compactMap(\.utf8.first).filter { $0 > UInt8(ascii: "9") })

  /// What a line of a page defines.
  private static func labels(of line: Substring) -> [String] {
    if line.hasPrefix("#") {
      return line.matches(of: #/\b\d+(\.\d+)?/#).map { String($0.0) }
    }
    let bold = line.matches(of: #/\*\*([A-Z]\d+)\b/#).map { String($0.1) }
    let row = line.prefixMatch(of: #/\| ([A-Z]\d+) \|/#).map { [String($0.1)] } ?? []
    let rule = line.prefixMatch(of: #/(\d+)\. /#).map { [String($0.1)] } ?? []
    return bold + row + rule
  }
}

/// A law named somewhere: `sources L3`, `C API rule 27`, `catalogue 4.13`, or a bare `L3`.
struct LawCitation: Equatable {
  /// The page's words; nil where only the label stands.
  var page: String?
  var label: String

  /// Every citation in a text.
  static func all(in text: some Sequence<UInt8>) -> [LawCitation] {
    let bytes = Array(text)
    var found: [LawCitation] = []
    var place = 0
    while place < bytes.count {
      guard bytes[place].isDigit else {
        place += 1
        continue
      }
      let end = endOfNumber(from: place, in: bytes)
      let start = place > 0 && LawPages.letters.contains(bytes[place - 1]) ? place - 1 : place
      let isLaw = start < place && end - place <= 2
      let isWord =
        (start == 0 || !bytes[start - 1].isWord) && (end == bytes.count || !bytes[end].isWord)
      place = end
      guard isWord else { continue }
      let page = page(before: start, in: bytes)
      guard isLaw || page != nil else { continue }
      let label = String(decoding: bytes[start..<end], as: UTF8.self)
      found.append(LawCitation(page: page, label: label))
    }
    return found
  }

  /// Behind the digits from a place, and those of a second part as in `4.13`.
  private static func endOfNumber(from start: Int, in bytes: [UInt8]) -> Int {
    var end = start
    while end < bytes.count, bytes[end].isDigit { end += 1 }
    guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), bytes[end + 1].isDigit else {
      return end
    }
    end += 1
    while end < bytes.count, bytes[end].isDigit { end += 1 }
    return end
  }

  /// The page whose words stand before a label, with one blank or line break between.
  private static func page(before label: Int, in bytes: [UInt8]) -> String? {
    var words: [String] = []
    var end = label
    while words.count < 3, end > 0, bytes[end - 1].isBlank {
      while end > 0, bytes[end - 1].isBlank { end -= 1 }
      var start = end
      while start > 0, bytes[start - 1].isWord { start -= 1 }
      words.append(String(decoding: bytes[start..<end], as: UTF8.self).lowercased())
      end = start
    }
    if let first = words.first, ["rule", "rules"].contains(first) { words.removeFirst() }
    guard let one = words.first else { return nil }
    let two = words.count > 1 ? "\(words[1]) \(one)" : one
    return [two, one].first { LawPages.labels[$0] != nil }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") }
  fileprivate var isWord: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
  }
}
