import Gathering
import Ground
import Values

/// The rows of a fast source on their way to a client, in columns (serve W23).
final class FrameColumns: Sendable {
  private struct State {
    var reader: Reader?
    /// Nil before it was opened.
    var layout: FrameLayout?
    /// The values that have no column, as they were told last.
    var told: [Value] = []
    var dropped: UInt64 = 0
  }

  /// Rows that wait at most: those of two seconds at the highest rate.
  private static let rows = 2 * Limits.rowsPerSecond

  private let state = Lock(State())

  var isOpen: Bool { state.withLock { $0.reader != nil } }

  /// Begins to keep the rows of a source.
  func open(_ source: Source) throws(SourceError) {
    let reader = try source.reader(
      capacity: min(Self.rows * max(1, source.properties.count), Reader.capacityLimit))
    let name = JSONBody.text(.string(source.id.description))
    let layout = FrameLayout(of: name, source.properties)
    state.withLock { ($0.reader, $0.layout) = (reader, layout) }
  }

  func close() {
    let reader = state.withLock { $0.reader.take() }
    reader?.close()
  }

  /// Puts all rows that have come, and a reading where a value without a column has changed.
  func put(_ source: Source, into queue: EventQueue, _ isExact: Bool) {
    let (known, opened) = state.withLock { ($0.reader, $0.layout) }
    guard let reader = known, var layout = opened else { return }
    // Where nothing waits, asking for it would wait for the shortest time there is.
    while reader.statistics.queued > 0, let frame = try? reader.nextFrame(of: source),
      frame.rowCount > 0
    {
      let statistics = reader.statistics
      let width = UInt64(max(1, frame.properties.count))
      let lost = state.withLock { state in
        defer { state.dropped = statistics.dropped }
        return Int((statistics.dropped - state.dropped) / width)
      }
      if layout.properties != frame.properties {
        let renewed = FrameLayout(of: layout.name, frame.properties)
        state.withLock { $0.layout = renewed }
        layout = renewed
      }
      putChanges(of: source, frame, layout, into: queue)
      let text = FrameText(frame, layout, lost: lost, isExact: isExact)
      queue.put("frame", text.bytes, rows: frame.rowCount)
    }
  }

  private func putChanges(
    of source: Source, _ frame: Frame, _ layout: FrameLayout, into queue: EventQueue
  ) {
    if layout.others.isEmpty { return }
    let last = frame.rowCount - 1
    let others = layout.others.map { frame.value(ofRow: last, at: $0) }
    let isNews = state.withLock { state in
      defer { state.told = others }
      return state.told != others
    }
    guard isNews else { return }
    let now = source.context.now.realtime
    let reading = ReadingFacts(source, frame.samples(ofRow: last)).dictionary(at: now)
    queue.put("update", JSONBody.text(.dictionary(reading)), rows: 1)
  }
}
