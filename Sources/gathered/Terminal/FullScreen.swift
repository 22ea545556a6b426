/// A terminal that is drawn on as a whole, and left as it was found.
struct FullScreen {
  /// The lines that are on it, from the first row; nil: not known.
  private var shown: [String]?

  /// Hides the cursor and takes the other screen of the terminal; the first keeps what it has.
  mutating func begin() throws {
    shown = nil
    try StandardOutput.write("\u{1B}[?25l\u{1B}[?1049h")
  }

  /// What leaves it again.
  static let farewell = "\u{1B}[?1049l\u{1B}[?25h"

  func end() {
    // At the end a closed terminal does not matter.
    try? StandardOutput.write(Self.farewell)
  }

  /// What is on it is not known any more.
  mutating func forget() { shown = nil }

  /// Shows these lines; those that are there already are not written again.
  mutating func show(_ lines: [String]) throws {
    var text = shown == nil ? "\u{1B}[2J" : ""
    for row in 0..<max(lines.count, shown?.count ?? 0) {
      let line = row < lines.count ? lines[row] : ""
      if let shown, row < shown.count, shown[row] == line { continue }
      // Erased first: in the last column there is nothing behind the cursor.
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    shown = lines
    if !text.isEmpty { try StandardOutput.write(text) }
  }
}
