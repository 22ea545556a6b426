import Gathering
import Ground
import Values

/// How sources stand in the rows of a terminal: the fullest layout that fits.
struct LiveLayout {
  let terminal: Terminal
  /// Whether constant values of sources are left out.
  let isDashboard: Bool
  let columns: Int

  /// At most `rows` lines: every value and the drawings, else changing values and the drawings,
  /// else every value, else changing values, else one line per source.
  func lines(of sources: [WatchedSource], rows: Int) -> [String] {
    let full = groups(of: sources, showing: fields)
    let pictures = pictures(of: sources)
    if full.count + pictures.joined().count <= rows { return full + pictures.joined() }
    let moving = groups(of: sources, showing: movingFields) + rest(of: sources)
    if !pictures.isEmpty, moving.count + pictures.joined().count <= rows {
      return moving + pictures.joined()
    }
    if full.count <= rows { return full }
    if moving.count <= rows {
      return pictures.reduce(moving) { $0.count + $1.count <= rows ? $0 + $1 : $0 }
    }
    let compact = compactTable(sources).lines(on: terminal, width: columns)
    if compact.count <= rows { return compact }
    return compact.prefix(rows - 1) + [dimmed("\(compact.count - rows + 1) more lines")]
  }

  /// The picture of each source that has one, an empty line before it.
  private func pictures(of sources: [WatchedSource]) -> [[String]] {
    if isDashboard { return [] }
    return sources.filter { !isAbsent($0) }
      .map { Drawing.lines(of: $0, columns: columns) }
      .filter { !$0.isEmpty }.map { [""] + $0 }
  }

  // MARK: One line a value

  private func fields(of source: WatchedSource) -> [Field] {
    source.selection.fields(of: source.samples)
      .filter { !isDashboard || $0.property.mode != .static }
  }

  private func movingFields(of source: WatchedSource) -> [Field] {
    fields(of: source).filter { $0.hasPayload && $0.property.mode == .continuous }
  }

  /// How many values stand still and are left out for a picture.
  private func rest(of sources: [WatchedSource]) -> [String] {
    let count = sources.filter { !isAbsent($0) }
      .reduce(0) { $0 + fields(of: $1).count - movingFields(of: $1).count }
    return count == 0 ? [] : [dimmed("  \(count) more values")]
  }

  /// The values of each source below its name.
  private func groups(
    of sources: [WatchedSource], showing fields: (WatchedSource) -> [Field]
  ) -> [String] {
    let groups = sources.map { (source: $0, fields: isAbsent($0) ? [] : fields($0)) }
    let width = groups.flatMap { $0.fields.map(\.key.columnWidth) }.max() ?? 0
    return groups.flatMap { source, fields in
      let title = source.selection.source.id.description.printable.cut(to: columns)
      let cells = fields.isEmpty ? [absence(of: source)] : fields.map { $0.cell(on: terminal) }
      let names = fields.map { $0.key.padded(to: width) + "  " }
      return [terminal.styled(title, .heading)]
        + cells.enumerated().map { index, cell in
          let start = "  " + (names.indices.contains(index) ? names[index] : "")
          let text = cell.text.cut(to: max(columns - start.columnWidth, 0))
          return start.cut(to: columns) + terminal.styled(text, cell.style)
        }
    }
  }

  // MARK: One line a source

  /// The values that are there, one behind the other.
  private func compactTable(_ sources: [WatchedSource]) -> Table {
    var table = Table([Table.Column(heading: "SOURCE"), Table.Column(heading: "VALUES")])
    for source in sources {
      let fields = fields(of: source).filter { $0.hasPayload && $0.property.mode != .static }
      let values = fields.map { "\($0.key) \($0.text(on: terminal))" }.joined(separator: "  ")
      table.add([
        Table.Cell(source.selection.source.id.description, .heading),
        values.isEmpty || isAbsent(source) ? absence(of: source) : Table.Cell(values),
      ])
    }
    return table
  }

  // MARK: Absent sources

  private func isAbsent(_ source: WatchedSource) -> Bool {
    source.phase != .done && source.selection.source.availability.group != .available
  }

  private func absence(of source: WatchedSource) -> Table.Cell {
    let availability = source.selection.source.availability
    let parts = [availability.explanation, availability.remedy].filter { !$0.isEmpty }
    return Table.Cell(parts.joined(separator: "; "), .warning)
  }

  private func dimmed(_ text: String) -> String {
    terminal.styled(text.cut(to: columns), .dimmed)
  }
}
