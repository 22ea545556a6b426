import Gathering
import Glibc
import Ground
import Recording
import Streams
import Values

/// Sources being watched until enough was seen: the loop behind `gathered watch`.
struct Watch {
  /// When it is over.
  struct Limits {
    /// The requested interval in nanoseconds; nil: each kind's own.
    var interval: Int64?
    /// The number of readings of each source.
    var count: Int?
    /// The length of the watch in nanoseconds.
    var duration: Int64?
  }

  private let context: Context
  private let limits: Limits
  private let signals: SignalInbox
  private let loop: CommandLoop
  private let keyboard: Keyboard?
  private let controls: ReplayControls?
  private let inbox = Inbox<WatchItem>()
  private var display: any WatchDisplay
  private var sources: [WatchedSource] = []
  /// Where the source of each session stands among them.
  private var places: [UInt32: Int] = [:]
  /// nil: the sources were named. Otherwise all available sources are watched, including new ones.
  private var instances: Connection?
  /// The instances there were last.
  private var listed: Set<SourceIdentifier> = []
  private var failure: CommandFailure?
  private var isEnding = false

  /// Watches the ids, or all available sources if there are none.
  init(
    _ ids: [String], in context: Context, until limits: Limits, signals: SignalInbox,
    on display: any WatchDisplay, keyboard: Keyboard? = nil, controls: ReplayControls? = nil
  ) throws {
    self.context = context
    self.limits = limits
    self.signals = signals
    self.keyboard = keyboard
    self.controls = controls
    loop = CommandLoop(context: context, signals: signals, keys: keyboard?.descriptor)
    self.display = display
    let inbox = inbox
    sources = try ids.map { WatchedSource(try Selection($0, in: context), into: inbox) }
    notePlaces()
    guard ids.isEmpty else { return }
    instances = try context.instances().subscribe { inbox.put(.instances($0)) }
    guard case .instances(let list)? = inbox.takeAll().last else { return }
    listed = Set(list.map(\.id))
    for source in list.onDashboard { try add(source.id) }
    if sources.isEmpty {
      throw CommandFailure("there is nothing to watch", remedy: "run gathered doctor to see why")
    }
  }

  /// Watches until the limits are reached, a signal comes or no source is left.
  mutating func run() throws {
    let end = limits.duration.map { loop.now + $0 }
    // A replay has no device to stop: a signal need not wait until thousands of sources have
    // started.
    if context.rate == nil { try startAll() } else { try signals.interrupting { try startAll() } }
    do {
      try takeTerminal()
      defer { leaveTerminal() }
      try watch(until: end)
    }
    if !isEnding { try StandardOutput.write(display.remains(of: sources)) }
    if let failure { throw failure }
  }

  private mutating func watch(until end: Int64?) throws {
    // Values read by the starts are shown, however short the watch.
    _ = try context.dispatch(timeout: 0)
    while true {
      try takeItems()
      try display.draw(sources, isForced: false)
      if isEnding || isOver || end.map({ loop.now >= $0 }) ?? false { break }
      if loop.hasPlayedAll {
        try context.flush(timeout: 1_000_000_000)
        try takeItems()
        break
      }
      try wait(until: end)
    }
    try display.draw(sources, isForced: true)
  }

  private mutating func takeTerminal() throws {
    keyboard?.begin()
    if let former = keyboard?.former {
      signals.setLastAct { Keyboard.restore(former) }
    }
    try display.begin()
  }

  private mutating func leaveTerminal() {
    display.end()
    keyboard?.end()
    signals.setLastAct(nil)
  }

  private var isOver: Bool {
    if sources.isEmpty { return false }
    return !sources.contains { $0.phase == .running }
  }

  private mutating func add(_ id: SourceIdentifier) throws {
    let source = WatchedSource(try Selection(id, in: context), into: inbox)
    places[source.selection.source.number] = sources.count
    sources.append(source)
  }

  /// Notes where each source stands.
  private mutating func notePlaces() {
    places = Dictionary(
      sources.enumerated().map { ($1.selection.source.number, $0) }, uniquingKeysWith: { $1 })
  }

  private mutating func startAll() throws {
    var failures: [CommandFailure] = []
    for index in sources.indices {
      if let failure = sources[index].start(every: limits.interval) { failures.append(failure) }
    }
    for failure in failures { display.tell(failure) }
    if failures.count == sources.count { throw CommandFailure("") }
    // A replay delivers the recorded rows at their recorded rate.
    if context.rate != nil { return }
    for source in sources where source.phase == .running {
      if let note = source.note { display.tell(note) }
    }
  }

  // MARK: Updates and events

  private mutating func takeItems() throws {
    for item in inbox.takeAll() {
      switch item {
      case .update(let session, let update): try take(update, of: session)
      case .event(let session, let event): try take(event, of: session)
      case .instances(let list): try take(list)
      }
    }
  }

  private mutating func take(_ update: SourceUpdate, of session: UInt32) throws {
    guard let index = places[session],
      sources[index].phase != .done
    else { return }
    // Rows of a stream come many at a time; each is a reading, and counts.
    let left = limits.count.map { $0 - sources[index].count } ?? .max
    let readings = min(update.rowCount, left)
    sources[index].samples = readings < left ? update.latest : update.rows[readings - 1]
    sources[index].count += readings
    try display.show(readings, of: update, from: sources[index], now: context.now.realtime)
    if readings == left { sources[index].finish() }
  }

  private mutating func take(_ event: SourceEvent, of session: UInt32) throws {
    guard let index = places[session],
      sources[index].phase != .done
    else { return }
    switch event.what {
    case .stopped(let error):
      sources[index].phase = .done
      guard let error else { return }
      failure = CommandFailure(error, about: event.id.description)
      try display.show(event, now: context.now.realtime)
    case .availabilityChanged(let availability):
      try display.show(event, now: context.now.realtime)
      // A source that could not start at first starts as soon as it can.
      if availability.group == .available, sources[index].phase == .absent {
        _ = sources[index].start(every: limits.interval)
      }
    case .failedToStart where sources[index].phase == .running:
      sources[index].phase = .absent
      try display.show(event, now: context.now.realtime)
    case .lost: try display.show(event, now: context.now.realtime)
    case .started, .failedToStart, .permissionRequested, .added, .removed: break
    }
  }

  /// What has gone leaves, and what has come or become available joins.
  private mutating func take(_ list: [SourceDescription]) throws {
    let (former, now) = (listed, context.now.realtime)
    listed = Set(list.map(\.id))
    for source in sources where !listed.contains(source.selection.source.id) {
      try display.show(SourceEvent(id: source.selection.source.id, what: .removed), now: now)
    }
    sources.removeAll { !listed.contains($0.selection.source.id) }
    notePlaces()
    let known = Set(sources.map(\.selection.source.id))
    for source in list.onDashboard where !known.contains(source.id) {
      let isNew = !former.contains(source.id)
      let what = isNew ? SourceEvent.What.added : .availabilityChanged(source.availability)
      try display.show(SourceEvent(id: source.id, what: what), now: now)
      try add(source.id)
      _ = sources[sources.count - 1].start(every: limits.interval)
    }
  }

  // MARK: Waiting

  /// Waits for something to happen, and obeys the signals that came meanwhile.
  private mutating func wait(until end: Int64?) throws {
    let step = sources.compactMap(\.selection.source.rates.granted).min() ?? 1_000_000_000
    take(try loop.wait(until: end, within: display.drawsWithin, step: step))
    for key in keyboard?.takeAll() ?? [] where !display.obey(key) {
      try controls?.obey(key, step: step)
    }
    isEnding = isEnding || display.isEnding
  }

  private mutating func take(_ signals: [Int32]) {
    for number in signals {
      switch number {
      case SIGWINCH: display.resize()
      case SIGTSTP:
        leaveTerminal()
        kill(getpid(), SIGSTOP)
        try? takeTerminal()
      default: isEnding = true
      }
    }
  }
}

extension [SourceDescription] {
  /// What is watched if the user names nothing: the aggregate of each kind that has one, on each
  /// machine, else all instances, as far as they are available.
  fileprivate var onDashboard: [SourceDescription] {
    withStandIns.filter { $0.availability.group == .available }
  }
}
