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

  /// The least columns that the last cell of a row is given beside the others.
  private static let least = 20

  /// The lines, headings first. Within `width` columns, if there is a limit, the last cell of a
  /// row goes on below, as notes do; where there is no room for that each row has several lines.
  func lines(on terminal: Terminal, width: Int? = nil) -> [String] {
    let widths = columnWidths
    let start = indent(of: columns.count - 1, in: widths)
    if let width, start + Self.least > width { return narrow(on: terminal, width: width) }
    let headings = columns.map { Cell($0.heading, .heading) }
    let room = width.map { $0 - start } ?? .max
    let rules = widths.enumerated().map { index, size in
      let count = index == widths.count - 1 ? min(size, room) : size
      return Cell(String(repeating: "-", count: count), .dimmed)
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

  /// Each row with its first cell on a line and the others below it, without headings.
  private func narrow(on terminal: Terminal, width: Int) -> [String] {
    rows.flatMap { row -> [String] in
      switch row {
      case .note(let cell, _): return below(cell, at: 2, terminal, width)
      case .cells(let cells):
        let texts = zip(columns, cells).dropFirst().map { column, cell in
          column.isNumeric ? "\(cell.text) \(column.heading.lowercased())" : cell.text
        }
        let rest = texts.filter { !$0.isEmpty }.joined(separator: ", ")
        let style = cells.count > 1 ? cells[1].style : .plain
        let first = cells.first.map { below($0, at: 0, terminal, width) } ?? []
        return first + (rest.isEmpty ? [] : below(Cell(rest, style), at: 2, terminal, width))
      }
    }
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
    let margin = width.map { min(indent, max($0 - Self.least, 0)) } ?? indent
    let texts =
      width.map { cell.text.wrapped(to: max($0 - margin, 1), breakingWords: true) } ?? [cell.text]
    return texts.map { String(repeating: " ", count: margin) + terminal.styled($0, cell.style) }
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
      if isLast, let limit, start + cell.text.columnWidth > limit {
        var rest = below(cell, at: start, terminal, limit)
        let first = rest.removeFirst().drop { $0 == " " }
        return [line + (index > 0 ? "  " : "") + String(first)] + rest
      }
      let text =
        isLast ? cell.text : cell.text.padded(to: widths[index], onLeft: columns[index].isNumeric)
      line += (index > 0 ? "  " : "") + terminal.styled(text, cell.style)
      used = start + text.columnWidth
    }
    return [line]
  }
}
