import Gathering
import Machine

/// The table that redraws in place on a terminal.
struct LiveTable: WatchDisplay {
  private let terminal: Terminal
  private let clock: @Sendable () -> Instant
  private let title: String
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
    lastEvent = EventRecord(event, time: now).headline.printable
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
    var head = [terminal.styled(heading(of: sources, at: now).cut(to: size.columns), .dimmed)]
    if !lastEvent.isEmpty {
      head.append(terminal.styled(lastEvent.cut(to: size.columns), .warning))
    }
    // The last row is the cursor's.
    let room = max(size.rows - 1, 3) - head.count
    let layout = LiveLayout(terminal: terminal, isDashboard: isDashboard, columns: size.columns)
    return head + layout.lines(of: sources, rows: room)
  }

  private func heading(of sources: [WatchedSource], at now: Instant) -> String {
    let time = Value.time(now.realtime / 1_000_000_000 * 1_000_000_000).formatted()
    let updates = sources.reduce(0) { $0 + $1.count }
    let dropped = sources.reduce(0) { $0 + $1.selection.source.rates.dropped }
    let lost = dropped == 0 ? "" : ", \(dropped) lost"
    return "gathered watch  \(title.printable)  \(time)  \(updates) updates\(lost)  Ctrl-C ends"
  }
}
