extension String {
  /// How many columns of a terminal the text takes, without regard to locale.
  var columnWidth: Int { reduce(0) { $0 + $1.columnWidth } }

  /// The text cut to a number of columns; an ellipsis marks a cut.
  func cut(to columns: Int) -> String {
    if columnWidth <= columns { return self }
    guard columns > 0 else { return "" }
    var kept = ""
    var used = 1
    for character in self {
      let width = character.columnWidth
      if used + width > columns { break }
      used += width
      kept.append(character)
    }
    return kept + "…"
  }

  /// The same with the cut inside: names that differ at their end alone stay apart.
  func cutInside(to columns: Int) -> String {
    let end = String(suffix(6))
    let room = columns - end.columnWidth
    return columnWidth <= columns || room < 2 ? cut(to: columns) : cut(to: room) + end
  }

  /// The text on lines of at most so many columns, broken at spaces; a longer word stands alone,
  /// in pieces where it must not stand out.
  func wrapped(to columns: Int, breakingWords: Bool = false) -> [String] {
    var lines = [""]
    var used = 0
    for word in split(separator: " ") {
      for piece in breakingWords ? String(word).pieces(of: max(columns, 1)) : [String(word)] {
        let width = piece.columnWidth
        if used > 0, used + 1 + width > columns {
          lines.append("")
          used = 0
        }
        lines[lines.count - 1] += (used > 0 ? " " : "") + piece
        used += (used > 0 ? 1 : 0) + width
      }
    }
    return lines
  }

  /// The text in pieces of at most so many columns.
  private func pieces(of columns: Int) -> [String] {
    var pieces = [""]
    var used = 0
    for character in self {
      if used > 0, used + character.columnWidth > columns {
        pieces.append("")
        used = 0
      }
      pieces[pieces.count - 1].append(character)
      used += character.columnWidth
    }
    return pieces
  }

  /// The text filled with spaces to a number of columns.
  func padded(to columns: Int, onLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(columns - columnWidth, 0))
    return onLeft ? spaces + self : self + spaces
  }
}

extension Character {
  /// 2 for wide characters of East Asian scripts and emoji, else 1.
  fileprivate var columnWidth: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    let isWide = Self.wide.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
  }

  /// The blocks that Unicode calls wide or full-width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}
