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

  /// The least columns that a cell at the end of a row is given beside the others.
  private static let least = 20

  /// The lines, headings first. Within `width` columns, if there is a limit, the last cell of a
  /// row goes on below, as notes do.
  func lines(on terminal: Terminal, width: Int? = nil) -> [String] {
    let widths = columnWidths
    let headings = columns.map { Cell($0.heading, .heading) }
    var rules = widths.map { Cell(String(repeating: "-", count: $0), .dimmed) }
    if let width, let last = widths.indices.last {
      // The rule of what goes on below ends with the line.
      let room = max(width - indent(of: last, in: widths), 0)
      if widths[last] > room { rules[last] = Cell(String(repeating: "-", count: room), .dimmed) }
    }
    var lines = [headings, rules].flatMap { self.lines($0, widths, terminal, width) }
    for row in rows {
      switch row {
      case .cells(let cells): lines += self.lines(cells, widths, terminal, width)
      case .note(let cell, let column):
        lines += below(cell, at: indent(of: column, in: widths), terminal, width)
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

  /// Where a column begins.
  private func indent(of column: Int, in widths: [Int]) -> Int {
    widths.prefix(column).reduce(0) { $0 + $1 + 2 }
  }

  /// A cell on lines of its own; further left where there is no room.
  private func below(
    _ cell: Cell, at indent: Int, _ terminal: Terminal, _ width: Int?
  ) -> [String] {
    let margin = width.map { min(indent, max($0 - Self.least, 4)) } ?? indent
    let texts =
      width.map { cell.text.wrapped(to: max($0 - margin, 1), breakingWords: true) } ?? [cell.text]
    return texts.map {
      String(repeating: " ", count: margin) + terminal.styled($0, cell.style)
    }
  }

  /// The lines of a row.
  private func lines(
    _ cells: [Cell], _ widths: [Int], _ terminal: Terminal, _ limit: Int?
  ) -> [String] {
    let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
    var line = ""
    var used = 0
    for (index, cell) in cells.enumerated() where index <= last {
      let start = index > 0 ? used + 2 : 0
      let isLast = index == last && !columns[index].isNumeric
      let room = limit.map { $0 - start } ?? .max
      if isLast, cell.text.columnWidth > room, index > 0 {
        let isBeside = room >= Self.least
        let rest = below(cell, at: start, terminal, limit)
        if !isBeside { return [line] + rest }
        return [line + "  " + rest[0].drop { $0 == " " }] + rest.dropFirst()
      }
      let text =
        isLast ? cell.text : cell.text.padded(to: widths[index], onLeft: columns[index].isNumeric)
      line += (index > 0 ? "  " : "") + terminal.styled(text, cell.style)
      used = start + text.columnWidth
    }
    return [line]
  }
}
