import Gathering
import Values

/// A source in a box, as wide as its column.
struct Panel {
  /// Its session.
  let session: UInt32
  let lines: [StyledLine]

  /// The columns of a box that are not its body's.
  static let margins = 4

  /// Draws a box around a body.
  init(
    _ source: WatchedSource, _ body: [StyledLine], columns: Int, isChosen: Bool, _ glyphs: Glyphs
  ) {
    let id = source.selection.source.id.description.printable
    let label = source.selection.source.label.printable
    session = source.selection.source.number
    let frame = isChosen ? Style.chosen : .dimmed
    let inner = max(columns - Self.margins, 0)
    var head = StyledLine(glyphs.corners[0] + (isChosen ? glyphs.chosen : glyphs.across), frame)
    head.add(" " + id.cut(to: inner - 1) + " ", .heading)
    if !id.hasSuffix(label), head.width + label.columnWidth + 3 <= columns {
      head.add(label + " ", .dimmed)
    }
    head.add(String(repeating: glyphs.across, count: max(columns - head.width - 1, 0)), frame)
    head.add(glyphs.corners[1], frame)
    var foot = StyledLine(glyphs.corners[2], frame)
    foot.add(String(repeating: glyphs.across, count: max(columns - 2, 0)), frame)
    foot.add(glyphs.corners[3], frame)
    let rows = body.map { content in
      var line = StyledLine(glyphs.down + " ", frame)
      line.add(content.fitted(to: inner))
      line.add(" " + glyphs.down, frame)
      return line
    }
    lines = ([head] + rows + [foot]).map { $0.fitted(to: columns) }
  }
}
