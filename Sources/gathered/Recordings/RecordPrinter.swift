import Gathering
import Recording
import Values

/// Prints many records, a line each, in pieces of some size.
struct RecordPrinter {
  private let isJSON: Bool
  private let terminal = Terminal.current
  private var text = ""

  init(isJSON: Bool) { self.isJSON = isJSON }

  mutating func print(_ record: Record) throws {
    text += try (isJSON ? record.json() : record.text(on: terminal)) + "\n"
    if text.utf8.count > 1 << 16 { try finish() }
  }

  /// Prints the remaining rows.
  mutating func finish() throws {
    try StandardOutput.write(text)
    text = ""
  }
}
