package import Gathering
package import Ground
import Values

/// The queue of the recorder's thread: bounded, and filled by sources without waiting.
package final class RecorderQueue: Sendable {
  /// Something to be recorded of one series.
  package struct Item: Sendable {
    package enum Content: Sendable {
      case reading([Sample])
      case rows(RowSlice)
      case event(SourceEvent.What, Instant)
    }

    package let series: Int
    package let content: Content
    /// How many rows of the series were lost before it.
    package let lost: Int64
  }

  /// The origin of a series.
  package indirect enum Origin: Sendable {
    /// A source, and its description when it was added.
    case source(Source, RecordedSeries)
    case stream(String)
  }

  /// The items the thread takes at once.
  package struct Batch: Sendable {
    package var items: [Item] = []
    /// Lost rows that no item has reported, by their series; only at the end.
    package var lost: [Int: Int64] = [:]
    package var origins: [Origin] = []
    /// About how much memory they take.
    package var weight = 0
    /// When the first item came, on CLOCK_MONOTONIC.
    package var firstArrival: Int64 = 0
    /// Callers that wait for this number, or a smaller one, wait until the batch is on the device.
    package var ticket: UInt64 = 0
    package var isAsked = false
    package var isLast = false
  }

  struct State: Sendable {
    var items: [Item] = []
    /// By series, the last rows that further ones may be put behind.
    var joints: [Int: Joint] = [:]
    var weight = 0
    /// The memory of items the thread holds until they are on the device.
    var held = 0
    var firstArrival: Int64 = 0
    var lost: [Int: Int64] = [:]
    var origins: [Origin] = []
    var names: [ExactText: Int] = [:]
    var asked: UInt64 = 0
    var done: UInt64 = 0
    var failure: SourceError?
    /// What is told a caller whose time is up.
    var lateness = "the disk has not taken everything in time"
    /// The series whose rows wake no thread: it looks by itself in time.
    var quiet: Set<Int> = []
    var isClosing = false
    var isOver = false
    /// Rows for which there was room, and rows for which there was none.
    var accepted: UInt64 = 0
    var refused: UInt64 = 0
    /// Rows that are where they go for certain.
    var settled: UInt64 = 0
    /// The counts of the thread.
    var written = RecorderStatistics()

    var isUrgent: Bool { asked > done || isClosing }
  }

  let state = Monitor(State())
  private let limit: Int
  private let batchWeight: Int
  private let blockInterval: Int64
  /// The most rows of one item.
  private let (blockRows, blockBytes): (Int, Int)
  /// Wakes a thread that waits for more than this queue.
  private let wake: (@Sendable () -> Void)?

  /// A queue for a thread that waits in `take`, or one that `wake` wakes. Callers that wait too
  /// long are told `lateness`.
  package init(
    _ options: RecorderOptions, lateness: String? = nil, wake: (@Sendable () -> Void)? = nil
  ) {
    self.wake = wake
    if let lateness { state.withLock { $0.lateness = lateness } }
    limit = options.memoryLimit
    batchWeight = min(1 << 20, max(options.memoryLimit / 4, 1))
    blockInterval = options.blockInterval
    (blockRows, blockBytes) = (options.blockRows, options.blockBytes)
  }

  // MARK: Filling

  /// The number of a new series; nil when it is over.
  func add(_ origin: Origin) -> Int? {
    state.withLock { state in
      if state.isClosing { return nil }
      state.origins.append(origin)
      return state.origins.count - 1
    }
  }

  /// Whether there is a stream of a name.
  func hasStream(named name: String) -> Bool {
    state.withLock { $0.names[ExactText(name)] != nil }
  }

  /// The number of the stream of a name, which is added if need be; nil when it is over.
  func stream(named name: String) -> Int? {
    state.withLock { state in
      if state.isClosing { return nil }
      if let number = state.names[ExactText(name)] { return number }
      state.names[ExactText(name)] = state.origins.count
      state.origins.append(.stream(name))
      return state.origins.count - 1
    }
  }

  func store(_ samples: [Sample], ofSeries series: Int) {
    let size = 64 + samples.count * MemoryLayout<Sample>.stride
    let weight = samples.reduce(size) { $0 + $1.value.weight }
    store(.reading(samples), ofSeries: series, rows: 1, weight: weight)
  }

  func store(_ slice: RowSlice, ofSeries series: Int) {
    let weight = 256 + slice.rowCount * slice.rowWeight
    store(.rows(slice), ofSeries: series, rows: slice.rowCount, weight: weight)
  }

  func store(_ event: SourceEvent.What, at instant: Instant, ofSeries series: Int) {
    store(.event(event, instant), ofSeries: series, rows: 0, weight: 512)
  }

  private func store(_ content: Item.Content, ofSeries series: Int, rows: Int, weight: Int) {
    let mustWake = state.withLock { state -> Bool in
      if state.isClosing { return false }
      guard state.weight + state.held + weight <= limit else {
        state.lost[series, default: 0] += Int64(rows)
        state.refused += UInt64(rows)
        return false
      }
      let lost = state.lost.removeValue(forKey: series) ?? 0
      if state.items.isEmpty { state.firstArrival = Monitor<State>.moment(after: 0) }
      let before = state.weight
      state.accepted += UInt64(rows)
      let item = Item(series: series, content: content, lost: lost)
      state.append(item, upTo: blockRows, blockBytes)
      state.weight += weight
      if before < batchWeight, state.weight >= batchWeight { return true }
      return wake == nil ? before == 0 : !state.quiet.contains(series)
    }
    if mustWake { alert() }
  }

  private func alert() {
    state.signalAll()
    wake?()
  }

  // MARK: Taking

  /// Takes all there is. From then on rows of some series wake no thread, until there are many.
  package func takeNow(letting quiet: Set<Int>) -> Batch {
    state.withLock { state in
      state.quiet = quiet
      return takeAll(of: &state)
    }
  }

  /// How many rows of a width there is room for, and as much again.
  func room(forRowsOf width: Int) -> Int {
    let used = state.withLock { $0.isClosing ? nil : $0.weight + $0.held }
    return used.map { (limit - $0) / (2 * RowSlice.weight(ofRowsOf: width)) } ?? .max
  }

  /// Waits for something to do, at most until a moment on CLOCK_MONOTONIC, and takes it.
  func take(until moment: Int64?) -> Batch {
    let arrival = state.wait(until: moment) { state -> Int64? in
      if state.isUrgent { return .min }
      return state.items.isEmpty ? nil : state.firstArrival
    }
    if let arrival, arrival > .min {
      let (due, overflow) = arrival.addingReportingOverflow(blockInterval)
      _ = state.wait(until: overflow ? nil : due) { state in
        state.isUrgent || state.weight >= self.batchWeight ? true : nil
      }
    }
    return state.withLock { takeAll(of: &$0) }
  }

  private func takeAll(of state: inout State) -> Batch {
    var batch = Batch(
      items: state.items, origins: state.origins, weight: state.weight,
      firstArrival: state.firstArrival, ticket: state.asked, isAsked: state.asked > state.done,
      isLast: state.isClosing)
    (state.items, state.joints) = ([], [:])
    // Still in memory: `report` updates the remaining size.
    state.held += state.weight
    state.weight = 0
    if batch.isLast {
      batch.lost = state.lost
      state.lost = [:]
    }
    return batch
  }

  /// Records the outcome of a batch, and wakes the callers that wait for it.
  func report(_ batch: Batch, held: Int, written: RecorderStatistics, failure: SourceError?) {
    report(
      done: batch.ticket, isOver: batch.isLast, held: held, written: written, failure: failure)
  }

  /// Records what has become of all rows taken up to a ticket: the callers that wait for it go on.
  /// Those that wait longer are told `lateness`.
  package func report(
    done ticket: UInt64, isOver: Bool, held: Int, written: RecorderStatistics,
    failure: SourceError?, lateness: String? = nil
  ) {
    // Sources among the origins may end here, which no lock of ours may cover.
    let dropped = state.withLock { state -> [Origin] in
      state.held = held
      state.written = written
      state.failure = failure
      state.done = max(state.done, ticket)
      if held == 0 { state.settled = written.rows }
      if let lateness { state.lateness = lateness }
      guard isOver else { return [] }
      state.isOver = true
      defer { state.origins = [] }
      return state.origins
    }
    state.signalAll()
    withExtendedLifetime(dropped) {}
  }

  // MARK: Waiting

  package var statistics: RecorderStatistics {
    state.withLock { state in
      var statistics = state.written
      statistics.lost += state.refused
      statistics.failure = state.failure
      return statistics
    }
  }

  /// How many rows there was room for.
  package var rowsTaken: UInt64 { state.withLock { $0.accepted } }

  /// How many rows are where they go for certain.
  var rowsSettled: UInt64 { state.withLock { $0.settled } }

  /// Waits until all rows received so far are on the device. Throws the error that prevents it.
  func flush(within limit: Int64) throws(SourceError) {
    let ticket = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    alert()
    let moment = limit < 0 ? nil : Monitor<State>.moment(after: limit)
    let outcome = state.wait(until: moment) { state -> SourceError?? in
      if state.done >= ticket { return .some(state.failure) }
      return state.isOver ? .some(state.failure ?? .closed) : nil
    }
    guard let outcome else { throw .timeout(state.withLock { $0.lateness }) }
    if let outcome { throw outcome }
  }

  /// Whether the thread has done all it does.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether nothing more is taken in.
  var isClosed: Bool { state.withLock { $0.isClosing } }

  /// Accepts nothing more, and waits until the thread has ended. Throws the error of the last
  /// write.
  func close(within limit: Int64) throws(SourceError) {
    state.withLock { $0.isClosing = true }
    alert()
    let moment = limit < 0 ? nil : Monitor<State>.moment(after: limit)
    let outcome = state.wait(until: moment) { state -> SourceError?? in
      state.isOver ? .some(state.failure) : nil
    }
    guard let outcome else { throw .timeout(state.withLock { $0.lateness }) }
    if let outcome { throw outcome }
  }
}

extension RowSlice {
  /// About how many bytes a row takes in memory, a column a number.
  var rowWeight: Int { Self.weight(ofRowsOf: propertyCount) }

  static func weight(ofRowsOf width: Int) -> Int { 16 + width * 16 }
}
