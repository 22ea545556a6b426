import Gathering
import Machine

/// The table that redraws in place on a terminal.
struct LiveTable: WatchDisplay {
  private let terminal: Terminal
  private let clock: @Sendable () -> Instant
  private let title: String
  /// Whether sources are shown without what never changes.
  private let isDashboard: Bool
  private var drawnLines = 0
  private var isDirty = true
  private var lastDrawing = Int64.min
  private var lastEvent = ""
  private var mustErase = false

  /// The shortest time between two drawings: more often nobody can read.
  private static let pace: Int64 = 50_000_000

  init(
    _ title: String, on terminal: Terminal, isDashboard: Bool,
    clock: @escaping @Sendable () -> Instant
  ) {
    self.title = title
    self.terminal = terminal
    self.isDashboard = isDashboard
    self.clock = clock
  }

  var nextDrawing: Int64? {
    isDirty ? (lastDrawing == .min ? 0 : lastDrawing + Self.pace) : nil
  }

  mutating func begin() throws {
    drawnLines = 0
    isDirty = true
    try StandardOutput.write("\u{1B}[?25l")
  }

  mutating func end() {
    // On the way out a terminal that is gone is nobody's concern.
    try? StandardOutput.write("\u{1B}[?25h")
  }

  mutating func show(
    _ readings: Int, of update: Update, from source: WatchedSource, now: Int64
  ) {
    isDirty = true
  }

  mutating func show(_ event: SourceEvent, now: Int64) {
    lastEvent = EventRecord(event, time: now).line.printable
    isDirty = true
  }

  mutating func resize() {
    isDirty = true
    mustErase = true
    lastDrawing = .min
  }

  mutating func draw(_ sources: [WatchedSource], isForced: Bool) throws {
    let now = clock()
    guard isForced || (isDirty && (lastDrawing == .min || now.boot >= lastDrawing + Self.pace))
    else { return }
    let lines = lines(of: sources, at: now)
    var text = drawnLines > 0 ? "\u{1B}[\(drawnLines)A\r" : "\r"
    if mustErase { text += "\u{1B}[J" }
    for line in lines { text += line + "\u{1B}[K\n" }
    text += "\u{1B}[J"
    try StandardOutput.write(text)
    drawnLines = lines.count
    lastDrawing = now.boot
    isDirty = false
    mustErase = false
  }

  private func lines(of sources: [WatchedSource], at now: Instant) -> [String] {
    let size = terminal.size
    // The last row is the cursor's.
    let room = max(size.rows - 1, 3)
    var head = [terminal.styled(heading(of: sources, at: now).cut(to: size.columns), .dimmed)]
    if !lastEvent.isEmpty {
      head.append(terminal.styled(lastEvent.cut(to: size.columns), .warning))
    }
    let full = fullTable(sources).lines(on: terminal, width: size.columns)
    if head.count + full.count <= room {
      return head + full + drawings(of: sources, rows: room - head.count - full.count)
    }
    let compact = compactTable(sources).lines(on: terminal, width: size.columns)
    if head.count + compact.count <= room {
      return head + compact + drawings(of: sources, rows: room - head.count - compact.count)
    }
    let shown = room - head.count - 1
    return head + compact.prefix(shown)
      + [terminal.styled("\(compact.count - shown) more lines".cut(to: size.columns), .dimmed)]
  }

  private func heading(of sources: [WatchedSource], at now: Instant) -> String {
    let time = Value.time(now.realtime / 1_000_000_000 * 1_000_000_000).formatted()
    let updates = sources.reduce(0) { $0 + $1.count }
    let dropped = sources.reduce(0) { $0 + $1.selection.source.rates.dropped }
    let lost = dropped == 0 ? "" : ", \(dropped) lost"
    return "gathered watch  \(title.printable)  \(time)  \(updates) updates\(lost)  Ctrl-C ends"
  }

  /// The pictures that fit into so many rows, whole or not at all.
  private func drawings(of sources: [WatchedSource], rows: Int) -> [String] {
    if isDashboard { return [] }
    var lines: [String] = []
    for source in sources where !isAbsent(source) {
      let drawing = Drawing.lines(of: source, columns: terminal.size.columns)
      if drawing.isEmpty || lines.count + drawing.count + 1 > rows { continue }
      lines += [""] + drawing
    }
    return lines
  }

  private func fields(of source: WatchedSource) -> [Field] {
    source.selection.fields(of: source.samples)
      .filter { !isDashboard || $0.property.mode != .static }
  }

  /// One line a value.
  private func fullTable(_ sources: [WatchedSource]) -> Table {
    var table = Table([
      Table.Column(heading: "SOURCE"), Table.Column(heading: "PROPERTY"),
      Table.Column(heading: "VALUE"),
    ])
    for source in sources {
      var name = Table.Cell(source.selection.source.id.description, .heading)
      let fields = fields(of: source)
      if fields.isEmpty || isAbsent(source) {
        table.add([name, Table.Cell(""), absence(of: source)])
        continue
      }
      for field in fields {
        table.add([name, Table.Cell(field.key), field.cell(on: terminal)])
        name = Table.Cell("")
      }
    }
    return table
  }

  /// One line a source, with the values that are there.
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

  private func isAbsent(_ source: WatchedSource) -> Bool {
    source.phase != .done && source.selection.source.availability.group != .available
  }

  private func absence(of source: WatchedSource) -> Table.Cell {
    let availability = source.selection.source.availability
    let parts = [availability.explanation, availability.remedy].filter { !$0.isEmpty }
    return Table.Cell(parts.joined(separator: "; "), .warning)
  }
}
