import Ground

/// A bounded queue of samples, filled as its sources gather them, whether or not the context
/// delivers callbacks.
///
/// Each sample is taken once, by `read` or as a row of a frame. `statistics` counts the samples
/// that a full reader drops, and the next sample of their source has the flag `gap`. A full reader
/// delays neither its sources nor other readers (sources L18).
///
/// A reader keeps its sources alive and does not start them. Once the context is closed, reading
/// throws `closed`, also in a thread that is waiting. Every call is allowed on any thread.
public final class Reader: Sendable {
  // Sessions keep only the queue, so that gathering never lets go of a reader.

  /// What happens when samples arrive at a full reader.
  public enum Overflow: Sendable {
    /// The oldest samples are dropped, whole readings where there are several.
    case dropOldest
    /// What arrives is dropped.
    case dropNewest
    /// What arrives waits behind the reader until there is room: of each source the newest reading,
    /// and the last 4096 rows of a stream.
    case block
  }

  /// A sample, with its property and source.
  public struct Item: Sendable, Equatable {
    /// The sample.
    public let sample: Sample
    /// The index of its property.
    public let property: Int
    /// The number of its source (`Source.number`).
    public let source: UInt32
  }

  /// Counts of samples.
  public struct Statistics: Sendable, Equatable {
    /// Waiting to be read; without those that wait behind a full reader that blocks.
    public internal(set) var queued = 0
    /// Returned by `read` or in a frame.
    public internal(set) var delivered: UInt64 = 0
    /// Dropped.
    public internal(set) var dropped: UInt64 = 0
  }

  private struct State {
    var sources: [Source] = []
    var isClosed = false
  }

  /// The most samples a reader may hold.
  public static let capacityLimit = 1 << 24
  /// The capacity of a reader that is made without one.
  public static let defaultCapacity = 4096

  /// The context of all its sources.
  public let context: Context
  private let queue: ReaderQueue
  private let state = Lock(State())
  /// What a replay may bring at once.
  private let room: RowRoom
  /// Cancels closing the queue with the context.
  private let forgetClose: @Sendable () -> Void

  /// Makes a reader without sources, for at most `capacity` samples.
  ///
  /// Throws `limit` for a capacity above `capacityLimit`, `invalidArgument` for one below 1, `io`
  /// if no descriptor is left, and `closed` for a closed context.
  public init(
    in context: Context, capacity: Int = defaultCapacity, overflow: Overflow = .dropOldest
  ) throws(SourceError) {
    try context.check()
    if capacity > Self.capacityLimit { throw .limit("the capacity is above \(Self.capacityLimit)") }
    if capacity < 1 { throw .invalidArgument("the capacity must be greater than 0") }
    let queue: ReaderQueue
    do {
      queue = try ReaderQueue(capacity: capacity, overflow: overflow)
    } catch {
      throw .io(errno: error.code, place: "no descriptor for a reader")
    }
    guard let forgetClose = context.onClose({ queue.close() }) else { throw .closed }
    self.queue = queue
    self.context = context
    room = RowRoom { queue.room / $0 }
    self.forgetClose = forgetClose
    context.bringAhead(into: room)
  }

  deinit {
    LockRank.expectNoLock("lets go of a reader")
    close()
  }

  /// The sources it reads, in the order they were added.
  public var sources: [Source] { state.withLock { $0.sources } }

  /// Readable while samples are queued: to be polled, and neither read nor closed.
  public var descriptor: Int32 { queue.wake.number }

  /// The counts of samples so far.
  public var statistics: Statistics { queue.statistics }

  /// Adds a source; its readings are queued from the next one on. Returns false if it was added
  /// before.
  ///
  /// Throws `invalidArgument` for a source of another context, and `closed`.
  @discardableResult
  public func add(_ source: Source) throws(SourceError) -> Bool {
    try context.check()
    guard source.context === context else {
      throw .invalidArgument("reader and source belong to different contexts")
    }
    let isNew = try state.withLock { (state) throws(SourceError) -> Bool in
      if state.isClosed { throw .closed }
      if state.sources.contains(where: { $0 === source }) { return false }
      state.sources.append(source)
      return true
    }
    if isNew { source.add(queue) }
    return isNew
  }

  /// Takes up to `limit` samples, the oldest first.
  ///
  /// Waits up to `timeout` nanoseconds for the first one, without limit for nil, and returns none
  /// after that time. Throws `closed`.
  public func read(
    _ limit: Int = .max, within timeout: Int64? = 0
  ) throws(SourceError) -> [Item] {
    try check()
    return try queue.take(until: moment(after: timeout)) { $0.takeSamples(limit) } ?? []
  }

  /// Takes all whole readings queued of one source, the oldest first. Without `source` it takes
  /// those of the source with the oldest reading.
  ///
  /// Waits up to `timeout` nanoseconds for the first one, without limit for nil, and returns nil
  /// after that time. Throws `invalidArgument` for a source outside the reader, and `closed`.
  public func nextFrame(
    of source: Source? = nil, within timeout: Int64? = 0
  ) throws(SourceError) -> Frame? {
    try check()
    if let source, !sources.contains(where: { $0 === source }) {
      throw .invalidArgument("the source is not in the reader")
    }
    let end = moment(after: timeout)
    while true {
      let taken = try queue.take(until: end) { $0.takeBatches(of: source?.number) }
      guard let taken, let found = sources.first(where: { $0.number == taken.source }) else {
        return nil
      }
      // What came before the source had found its instance has other columns (sources N5).
      let properties = found.properties
      let rows = taken.batches.filter { $0.width == properties.count }
      let lost = taken.batches.reduce(0) { $0 + $1.count } - rows.reduce(0) { $0 + $1.count }
      if lost > 0 { queue.lose(lost, of: found.number) }
      if !rows.isEmpty { return Frame(rows, of: found.number, properties) }
    }
  }

  /// Ends the reader: no more samples are queued, waiting calls throw `closed`, and the sources
  /// are released. Idempotent.
  public func close() {
    if context.fork.isForked { return }
    let sources = state.withLock { state in
      state.isClosed = true
      defer { state.sources = [] }
      return state.sources
    }
    for source in sources { source.removeTaps { $0 === queue } }
    queue.close()
    forgetClose()
  }

  private func check() throws(SourceError) { if context.fork.isForked { throw .forked } }

  private func moment(after timeout: Int64?) -> Int64? { timeout.map(Monitor<Void>.moment(after:)) }
}

extension Source {
  /// Makes a reader of this source alone, for at most `capacity` samples.
  ///
  /// Throws the errors of `Reader.init`.
  public func reader(
    capacity: Int = Reader.defaultCapacity, overflow: Reader.Overflow = .dropOldest
  ) throws(SourceError) -> Reader {
    let reader = try Reader(in: context, capacity: capacity, overflow: overflow)
    try reader.add(self)
    return reader
  }
}
