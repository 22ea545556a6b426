/// A line of texts that stand out differently, whose width is known.
struct StyledLine {
  private var parts: [(text: String, style: Style)] = []
  /// The columns it takes.
  private(set) var width = 0

  /// An empty line, or one of a single text.
  init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

  /// Puts a text behind the others. What controls a terminal must have been taken out of it.
  mutating func add(_ text: String, _ style: Style = .plain) {
    if text.isEmpty { return }
    parts.append((text, style))
    width += text.columnWidth
  }

  /// Puts a line behind this one.
  mutating func add(_ line: StyledLine) {
    parts += line.parts
    width += line.width
  }

  /// The line in exactly so many columns: filled with spaces, or cut.
  func fitted(to columns: Int) -> StyledLine {
    if width <= columns {
      var line = self
      line.add(String(repeating: " ", count: columns - width))
      return line
    }
    var line = StyledLine()
    for (text, style) in parts {
      let room = columns - line.width
      guard text.columnWidth < room else {
        // More follows, and a part that just fits has to tell.
        line.add((text + " ").cut(to: room), style)
        break
      }
      line.add(text, style)
    }
    line.add(String(repeating: " ", count: max(columns - line.width, 0)))
    return line
  }

  /// What is written to a terminal.
  func text(on terminal: Terminal) -> String {
    parts.map { terminal.styled($0.text, $0.style) }.joined()
  }
}
