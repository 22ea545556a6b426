import Gathering
import Ground
import Values

/// The table that redraws in place on a terminal.
struct LiveTable: WatchDisplay {
  private let terminal: Terminal
  private let clock: @Sendable () -> Instant
  private let title: String
  private let isDashboard: Bool
  private let controls: ReplayControls?
  private var drawnLines = 0
  private var isDirty = true
  /// When it may be drawn again, on CLOCK_MONOTONIC: a replay has a clock of its own.
  private var dueDrawing: Int64 = 0
  private var lastEvent = ""
  private var mustErase = false

  /// The shortest time between two drawings: a person reads no faster.
  private static let pace: Int64 = 50_000_000

  init(
    _ title: String, on terminal: Terminal, isDashboard: Bool,
    clock: @escaping @Sendable () -> Instant, controls: ReplayControls? = nil
  ) {
    self.controls = controls
    self.title = title
    self.terminal = terminal
    self.isDashboard = isDashboard
    self.clock = clock
  }

  var drawsWithin: Int64? { isDirty || controls != nil ? max(dueDrawing - Self.now, 0) : nil }

  private static var now: Int64 { Monitor<Void>.moment(after: 0) }

  mutating func begin() throws {
    drawnLines = 0
    isDirty = true
    try StandardOutput.write("\u{1B}[?25l")
  }

  mutating func end() {
    // At the end a closed terminal does not matter.
    try? StandardOutput.write("\u{1B}[?25h")
  }

  mutating func show(
    _ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64
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
    dueDrawing = 0
  }

  mutating func draw(_ sources: [WatchedSource], isForced: Bool) throws {
    // Where a replay is changes all the time.
    guard isForced || ((isDirty || controls != nil) && Self.now >= dueDrawing) else { return }
    let lines = lines(of: sources, at: clock())
    var text = drawnLines > 0 ? "\u{1B}[\(drawnLines)A\r" : "\r"
    if mustErase { text += "\u{1B}[J" }
    for line in lines { text += line + "\u{1B}[K\n" }
    text += "\u{1B}[J"
    try StandardOutput.write(text)
    drawnLines = lines.count
    dueDrawing = Self.now + Self.pace
    isDirty = false
    mustErase = false
  }

  private func lines(of sources: [WatchedSource], at now: Instant) -> [String] {
    let size = terminal.size
    var head = [terminal.styled(heading(of: sources, at: now).cut(to: size.columns), .dimmed)]
    if let controls { head.append(controls.line.cut(to: size.columns)) }
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
    let command = controls == nil ? "watch" : "replay"
    let text = "gathered \(command)  \(title.printable)  \(time)  \(updates) updates\(lost)"
    return text + "  Ctrl-C ends"
  }
}
