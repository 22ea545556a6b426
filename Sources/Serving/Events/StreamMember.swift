import Gathering
import Values

/// One source of a stream, with a session of its own.
struct StreamMember: Sendable {
  let source: Source
  /// The interval that it is to have, in nanoseconds.
  let wanted: Int64
  private let columns: FrameColumns
  private var isStarted = false

  /// Opens a session; starts nothing.
  init(_ wish: StreamPlan.Wish, of context: Context) throws(SourceError) {
    source = try context.open(wish.id)
    wanted = max(
      wish.interval ?? DefaultIntervals.interval(of: source.kind), Limits.minimumInterval)
    columns = FrameColumns()
  }

  /// Whether its rows come in columns.
  var isFast: Bool { columns.isOpen }

  /// Whether it was read before.
  var hasValues: Bool { source.allValues.contains { $0.realtime != 0 } }

  /// The interval that it has, in nanoseconds.
  var granted: Int64? { source.rates.granted }

  /// Starts it; one that is not there may come.
  mutating func start(
    stretch: Double, inFrames: Bool, _ usage: SourceUsage
  ) throws(SourceError) {
    let interval = Int64((Double(wanted) * stretch).rounded())
    if inFrames, interval < Limits.frameTime { try columns.open(source) }
    usage.begin(source.id)
    isStarted = true
    do throws(SourceError) {
      try source.startUpdating(every: interval)
    } catch .closed {
      throw .closed
    } catch {
      // Its availability says why, and an event that it has come.
    }
  }

  /// Puts what has come since the last time.
  func putFrames(into queue: EventQueue, _ isExact: Bool) {
    columns.put(source, into: queue, isExact)
  }

  func finish(_ usage: SourceUsage) {
    if isStarted { usage.end(source.id) }
    columns.close()
    try? source.stopUpdating()
  }
}
