/// Rows of cells under headings, with plain ASCII rules.
struct Table {
  /// A column.
  struct Column {
    let heading: String
    var isNumeric = false
  }

  /// One cell: a text that cannot act upon the terminal, and how it stands out.
  struct Cell {
    let text: String
    let style: Style

    init(_ text: String, _ style: Style = .plain) {
      self.text = text.printable
      self.style = style
    }
  }

  private let columns: [Column]
  private var rows: [Row] = []

  private enum Row {
    case cells([Cell])
    /// A line below a row, from a column on, which may be as long as it likes.
    case note(Cell, column: Int)
  }

  /// An empty table.
  init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row with one cell per column; missing cells at the end are empty.
  mutating func add(_ cells: [Cell]) { rows.append(.cells(cells)) }

  /// Adds a line that begins below a column and counts for no column's width.
  mutating func addNote(_ cell: Cell, below column: Int) {
    rows.append(.note(cell, column: column))
  }

  /// The lines, headings first. Within `width` columns, if there is a limit, the last column is
  /// cut.
  func lines(on terminal: Terminal, width: Int? = nil) -> [String] {
    let widths = columnWidths
    let headings = columns.map { Cell($0.heading, .heading) }
    let rules = widths.map { Cell(String(repeating: "-", count: $0), .dimmed) }
    var lines = [headings, rules].map { line($0, widths, terminal, width) }
    for row in rows {
      switch row {
      case .cells(let cells): lines.append(line(cells, widths, terminal, width))
      case .note(let cell, let column):
        let indent = widths.prefix(column).reduce(0) { $0 + $1 + 2 }
        let text = width.map { cell.text.cut(to: max($0 - indent, 0)) } ?? cell.text
        lines.append(String(repeating: " ", count: indent) + terminal.styled(text, cell.style))
      }
    }
    return lines
  }

  private var columnWidths: [Int] {
    columns.indices.map { index in
      rows.reduce(columns[index].heading.columnWidth) { widest, row in
        guard case .cells(let cells) = row, cells.indices.contains(index) else { return widest }
        return max(widest, cells[index].text.columnWidth)
      }
    }
  }

  private func line(
    _ cells: [Cell], _ widths: [Int], _ terminal: Terminal, _ limit: Int?
  ) -> String {
    var line = ""
    var used = 0
    let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
    for (index, cell) in cells.enumerated() where index <= last {
      if index > 0 {
        line += "  "
        used += 2
      }
      let room = limit.map { max($0 - used, 0) } ?? .max
      let isLast = index == last && !columns[index].isNumeric
      let full =
        isLast ? cell.text : cell.text.padded(to: widths[index], onLeft: columns[index].isNumeric)
      let text = full.cut(to: room)
      line += terminal.styled(text, cell.style)
      used += text.columnWidth
      if used >= limit ?? .max { break }
    }
    return line
  }
}
