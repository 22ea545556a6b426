public import Gathering
public import Ground
public import Machine
public import Values

/// Records sources and streams to a file, on a thread of its own.
///
/// No source ever waits for it. Samples that arrive faster than the disk takes them are kept in
/// bounded memory; those beyond the bound are lost and counted. Data on the device stays readable
/// whatever happens; a process that is killed loses at most the last second. Values are recorded as
/// the context provides them: personal ones only if it allows them. Every call is allowed on every
/// thread, inside callbacks too.
public final class Recorder: SampleSink {
  /// Objects kept while it records.
  private struct Held: Sendable {
    var sources: [Source] = []
    /// What they were called when they were added.
    var ids: Set<SourceIdentifier> = []
    var tokens: [ListenerToken] = []
    var connections: [DynamicConnection] = []
    var contexts: [WholeContext] = []
    /// How many series there are, a name of streams being one.
    var seriesCount = 0
    var names: Set<ExactText> = []
  }

  /// The path of the first file.
  public let path: String
  private let queue: RecorderQueue
  private let held = Monitor(Held())
  private let fork = ForkGuard()
  private let takesSeveral: Bool
  /// Where rows go, unless that is a file.
  private let target: (any RecorderTarget)?
  /// What a replay may bring at once.
  private let room: RowRoom
  /// Until it is waited for.
  private let thread: Monitor<WorkerThread?>

  /// Creates the file, or opens it to append, and writes the opening.
  ///
  /// Throws `invalidArgument` for options out of range; `io` with the errno of the storage: EEXIST
  /// for an existing recording that is not to be changed, EBUSY for one that another recorder
  /// writes.
  public convenience init(
    to path: String, options: RecorderOptions = RecorderOptions(),
    in storage: any FileStorage = LiveStorage(), clock: any TimeSource = LiveTime()
  ) throws(SourceError) {
    try options.check()
    let queue = RecorderQueue(options)
    let start = try RecordingStart(path, options, in: storage, at: clock.now)
    // Only the thread holds the file, so it is closed when the thread has finished.
    let writer = Monitor<RecordingWriter?>(
      RecordingWriter(queue, options, storage: storage, clock: clock, start: start))
    try self.init(path, queue) {
      var own = writer.taken()
      own?.run()
    }
  }

  /// A recorder for a target whose own thread empties the queue.
  package init(_ name: String, _ queue: RecorderQueue, for target: any RecorderTarget) {
    path = name
    self.queue = queue
    self.target = target
    takesSeveral = true
    room = RowRoom { queue.room(forRowsOf: $0) }
    thread = Monitor(nil)
  }

  init(
    _ path: String, _ queue: RecorderQueue, takesSeveral: Bool = true,
    work: @escaping @Sendable () -> Void
  ) throws(SourceError) {
    self.path = path
    self.queue = queue
    self.takesSeveral = takesSeveral
    target = nil
    room = RowRoom { queue.room(forRowsOf: $0) }
    do {
      // A thread that waits for work, and wakes for nothing else.
      thread = Monitor(try WorkerThread(named: "gkit-record", work))
    } catch {
      throw SourceError(error)
    }
  }

  deinit {
    LockRank.expectNoLock("lets go of a recorder")
    if fork.isForked { return }
    try? close(within: 0)
    target?.abandon()
    // The thread finishes writing by itself.
    thread.withLock { $0.take() }?.detach()
  }

  /// Records every update and event of a source from now on, and keeps the source.
  ///
  /// Starting and stopping it stays the caller's business. Throws `closed`, and `invalidArgument`
  /// where the format has room for one source only.
  public func add(_ source: Source) throws(SourceError) {
    try check()
    try target?.admit(source)
    try reserve(nil)
    guard let series = queue.add(.source(source, RecordedSeries(0, source))) else { throw .closed }
    let queue = queue
    let token = source.addEventListener { [weak queue, weak source] event in
      guard let queue, let source else { return }
      queue.store(event.what, at: source.context.now, ofSeries: series)
    }
    source.context.bringAhead(into: room)
    source.add(RecorderTap(queue, series: series))
    let id = source.id
    held.withLock { held in
      held.sources.append(source)
      held.ids.insert(id)
      held.tokens.append(token)
    }
  }

  /// Records and starts all available sources of a context, and each that appears or becomes
  /// available later, until it is closed. What it records already is left as it is.
  ///
  /// With `standIns` an available aggregate stands for its members. `refuse` is told of sources
  /// that cannot be recorded or started; one that could not start starts when it can. Returns how
  /// many update now. Throws `closed`.
  @discardableResult
  public func addAll(
    of context: Context, standIns: Bool = false, every interval: Int64? = nil,
    refuse: @escaping @Sendable (SourceIdentifier, SourceError) -> Void = { id, error in
      Log.write(.warning, "record", "\(id) is left out: \(error.message)")
    }
  ) throws(SourceError) -> Int {
    try check()
    if queue.isClosed { throw .closed }
    let whole = WholeContext(
      context, for: self, standIns: standIns, every: interval, refuse)
    held.withLock { $0.contexts.append(whole) }
    return try whole.begin()
  }

  /// Whether it records a source.
  func has(_ id: SourceIdentifier) -> Bool {
    held.withLock { $0.ids.contains(id) }
  }

  /// Records every value of a stream from now on, under a name.
  ///
  /// Two streams of one name make one series. Throws `closed`, and `invalidArgument` where the
  /// format has room for one only.
  public func add(_ stream: DynamicStream, named name: String) throws(SourceError) {
    try check()
    try target?.admit(streamNamed: name)
    try reserve(name)
    guard let series = queue.stream(named: name) else { throw .closed }
    let queue = queue
    let subscriber = DynamicStream.Subscriber { sample in
      queue.store([sample], ofSeries: series)
    }
    let connection = try stream.subscribe(subscriber)
    held.withLock { $0.connections.append(connection) }
  }

  /// Records one sample of a series of that name. Throws as `add`.
  public func append(_ sample: Sample, named name: String) throws {
    try check()
    if !queue.hasStream(named: name) { try target?.admit(streamNamed: name) }
    try reserve(name)
    guard let series = queue.stream(named: name) else { throw SourceError.closed }
    queue.store([sample], ofSeries: series)
  }

  /// The counts of recorded and lost rows so far.
  public var statistics: RecorderStatistics {
    fork.isForked ? RecorderStatistics() : queue.statistics
  }

  /// What was taken in, and what has become of it.
  public var information: SinkInformation {
    if fork.isForked { return SinkInformation() }
    if let target { return target.information }
    let statistics = queue.statistics
    var information = SinkInformation()
    information.state = queue.isOver ? .closed : .open
    information.failure = statistics.failure
    information.rowsTaken = queue.rowsTaken
    information.rowsLost = statistics.lost
    information.rowsSent = statistics.rows
    information.rowsAcknowledged = queue.rowsSettled
    information.bytesSent = statistics.bytes
    return information
  }

  /// Returns when all rows received so far are on the device.
  ///
  /// Throws the error that prevents it (`io`, for example a full disk), after one more attempt;
  /// `timeout` after `limit` nanoseconds, never for a negative limit; `closed`.
  public func flush(within limit: Int64 = -1) throws(SourceError) {
    try check()
    try queue.flush(within: limit)
  }

  /// Stops recording and releases the sources; returns when all rows received are on the device and
  /// the file is closed.
  ///
  /// Throws the error that prevented it, and `timeout` after `limit` nanoseconds. Idempotent.
  public func close(within limit: Int64 = 10_000_000_000) throws(SourceError) {
    if fork.isForked { throw .forked }
    let contexts = held.withLock { $0.contexts }
    for context in contexts { context.end() }
    let former = held.withLock { held in
      defer { held = Held() }
      return held
    }
    for source in former.sources {
      source.removeTaps { ($0 as? RecorderTap)?.isOf(queue) == true }
    }
    for token in former.tokens { token.end() }
    for connection in former.connections { connection.end() }
    let outcome = Result { () throws(SourceError) in try queue.close(within: limit) }
    if queue.isOver { thread.withLock { $0.take() }?.join() }
    target?.abandon()
    try outcome.get()
  }

  private func check() throws(SourceError) {
    if fork.isForked { throw .forked }
  }

  /// Takes room for a source, or for the streams of a name.
  private func reserve(_ name: String?) throws(SourceError) {
    if takesSeveral { return }
    let hasRoom = held.withLock { held -> Bool in
      if let name, held.names.contains(ExactText(name)) { return true }
      guard held.seriesCount == 0 else { return false }
      held.seriesCount = 1
      if let name { held.names = [ExactText(name)] }
      return true
    }
    if hasRoom { return }
    throw .invalidArgument(
      "\(path) has a column a property, so one source; several take layout long")
  }
}

extension Monitor {
  /// Takes out and returns the content.
  func taken<Held>() -> State where State == Held? {
    withLock { held in
      defer { held = nil }
      return held
    }
  }
}

/// The counts and the state of a recorder.
public struct RecorderStatistics: Equatable, Sendable {
  /// How many rows were put into blocks.
  public var rows: UInt64 = 0
  /// How many blocks of rows that were.
  public var blocks: UInt64 = 0
  /// How many bytes are on the device.
  public var bytes: UInt64 = 0
  /// How many rows were lost.
  public var lost: UInt64 = 0
  /// The present failure; nil if there is none.
  public var failure: SourceError?

  /// Nothing so far.
  public init() {}
}
