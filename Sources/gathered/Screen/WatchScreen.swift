import Gathering
import Ground
import Values

/// Sources on the whole of a terminal, in boxes that are chosen, scrolled and filtered by keys.
struct WatchScreen: WatchDisplay {
  private let terminal: Terminal
  private let clock: @Sendable () -> Instant
  private let title: String
  private let isDashboard: Bool
  private let hasKeys: Bool
  private let controls: ReplayControls?
  private var screen = FullScreen()
  private var state = ScreenState()
  private var histories: [UInt32: SourceHistory] = [:]
  /// How it was drawn last, which keys go by.
  private var grid = PanelGrid([], columns: 1, width: 0)
  private var rows = 0
  private var isDirty = true
  /// When it may be drawn again, on CLOCK_MONOTONIC: a replay has a clock of its own.
  private var dueDrawing: Int64 = 0
  /// When what changed last ceases to stand out.
  private var fading: Int64?
  private var lastEvent = ""
  /// The sources while the screen stands still.
  private var still: [WatchedSource]?

  /// The shortest time between two drawings: a person reads no faster.
  private static let pace: Int64 = 50_000_000

  init(
    _ title: String, on terminal: Terminal, isDashboard: Bool, hasKeys: Bool,
    clock: @escaping @Sendable () -> Instant, controls: ReplayControls? = nil
  ) {
    self.controls = controls
    self.title = title
    self.terminal = terminal
    self.isDashboard = isDashboard
    self.hasKeys = hasKeys
    self.clock = clock
  }

  var isEnding: Bool { state.isEnding }

  var drawsWithin: Int64? {
    if isDirty || controls != nil { return max(dueDrawing - Self.now, 0) }
    return fading.map { max(max($0, dueDrawing) - Self.now, 0) }
  }

  private static var now: Int64 { Monitor<Void>.moment(after: 0) }

  mutating func begin() throws {
    isDirty = true
    dueDrawing = 0
    try screen.begin()
  }

  mutating func end() { screen.end() }

  mutating func show(
    _ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64
  ) {
    if state.isPaused { return }
    let number = source.selection.source.number
    let present = Self.now
    let fields = source.selection.fields(of: source.samples)
    if histories[number, default: SourceHistory()].note(fields, at: present) {
      fading = present + PanelBody.glow
    }
    isDirty = true
  }

  mutating func show(_ event: SourceEvent, now: Int64) {
    lastEvent = EventRecord(event, time: now).headline.printable
    isDirty = true
  }

  mutating func resize() {
    isDirty = true
    dueDrawing = 0
    screen.forget()
  }

  // MARK: Drawing

  mutating func draw(_ sources: [WatchedSource], isForced: Bool) throws {
    let present = Self.now
    if let fading, present >= fading {
      self.fading = nil
      isDirty = true
    }
    // Where a replay is changes all the time.
    guard isForced || ((isDirty || controls != nil) && present >= dueDrawing) else { return }
    dueDrawing = present + Self.pace
    isDirty = false
    still = state.isPaused ? still ?? sources : nil
    try screen.show(lines(of: still ?? sources, at: present))
  }

  private mutating func lines(of sources: [WatchedSource], at present: Int64) -> [String] {
    let size = terminal.size
    let text = ScreenText(
      terminal: terminal, columns: size.columns, state: state, hasKeys: hasKeys,
      isReplay: controls != nil)
    var head = [text.heading(title, sources, at: clock())]
    if let controls { head.append(StyledLine(controls.line).fitted(to: size.columns)) }
    if !lastEvent.isEmpty { head.append(StyledLine(lastEvent, .warning).fitted(to: size.columns)) }
    rows = max(size.rows - head.count - 1, 1)
    let layout = ScreenLayout(
      terminal: terminal, state: state, isDashboard: isDashboard, columns: size.columns,
      histories: histories, now: present)
    grid = layout.grid(of: sources, rows: rows)
    state.top = max(min(state.top, grid.height - rows), 0)
    let seen = state.top..<max(min(state.top + rows, grid.height), state.top)
    var body = seen.map { grid.row($0) }
    if grid.places.isEmpty { body = [StyledLine("nothing has \"\(state.filter.printable)\"")] }
    if state.showsHelp { body = text.help().prefix(rows).map { $0.fitted(to: size.columns) } }
    body += Array(repeating: StyledLine(), count: max(rows - body.count, 0))
    let foot = text.footer(rows: seen, of: state.showsHelp ? 0 : grid.height)
    return (head + body + [foot]).prefix(size.rows).map { $0.text(on: terminal) }
  }

  /// The sources as they were last, for the terminal that the screen has left.
  func remains(of sources: [WatchedSource]) -> String {
    let layout = ScreenLayout(
      terminal: terminal, state: ScreenState(), isDashboard: isDashboard,
      columns: terminal.size.columns, histories: histories, now: .max)
    let grid = layout.grid(of: sources, rows: max(terminal.size.rows - 2, 1))
    return (0..<grid.height).map { grid.row($0).text(on: terminal) + "\n" }.joined()
  }

  // MARK: Keys

  mutating func obey(_ key: Keyboard.Key) -> Bool {
    let isKnown = state.obey(key) || move(key)
    if isKnown {
      isDirty = true
      dueDrawing = 0
    }
    return isKnown
  }

  /// Chooses another source, or scrolls; false for keys that do neither.
  private mutating func move(_ key: Keyboard.Key) -> Bool {
    switch key {
    // The arrows to the sides move a replay.
    case .left where controls == nil, .right where controls == nil, .up, .down: step(key)
    case .character("h"): step(.left)
    case .character("j"): step(.down)
    case .character("k"): step(.up)
    case .character("l"): step(.right)
    case .pageUp: state.top -= rows
    case .pageDown: state.top += rows
    case .home: state.top = 0
    case .end: state.top = grid.height
    default: return false
    }
    state.top = max(min(state.top, grid.height - rows), 0)
    return true
  }

  private mutating func step(_ arrow: Keyboard.Key) {
    // What is higher than the screen is read to its end first.
    if let here = grid.place(of: state.chosen), here.rows.count > rows {
      if arrow == .down, here.rows.upperBound > state.top + rows {
        state.top += rows / 2
        return
      }
      if arrow == .up, here.rows.lowerBound < state.top {
        state.top = max(state.top - rows / 2, here.rows.lowerBound)
        return
      }
    }
    guard let next = grid.neighbour(of: state.chosen, arrow) else { return }
    state.chosen = next.session
    if next.rows.upperBound > state.top + rows { state.top = next.rows.upperBound - rows }
    if next.rows.lowerBound < state.top || next.rows.count > rows {
      state.top = next.rows.lowerBound
    }
  }
}
