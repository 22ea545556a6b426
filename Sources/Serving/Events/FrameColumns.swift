import Gathering
import Ground
import Values

/// The rows of a fast source on their way to a client, in columns (serve W23).
final class FrameColumns: Sendable {
  private struct State {
    var reader: Reader?
    /// The id of its source, in JSON.
    var name = ""
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
    state.withLock { ($0.reader, $0.name) = (reader, name) }
  }

  func close() {
    let reader = state.withLock { $0.reader.take() }
    reader?.close()
  }

  /// Puts all rows that have come, and a reading where a value without a column has changed.
  func put(_ source: Source, into queue: EventQueue, _ isExact: Bool) {
    let (known, name) = state.withLock { ($0.reader, $0.name) }
    guard let reader = known else { return }
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
      putChanges(of: source, frame, into: queue)
      let text = FrameText(frame, of: name, lost: lost, isExact: isExact)
      queue.put("frame", text.bytes, rows: frame.rowCount)
    }
  }

  private func putChanges(of source: Source, _ frame: Frame, into queue: EventQueue) {
    if frame.properties.allSatisfy(\.hasColumn) { return }
    let samples = frame.samples(ofRow: frame.rowCount - 1)
    let others = zip(frame.properties, samples).filter { !$0.0.hasColumn }.map(\.1.value)
    let isNews = state.withLock { state in
      defer { state.told = others }
      return state.told != others
    }
    guard isNews else { return }
    let now = source.context.now.realtime
    let reading = ReadingFacts(source, samples).dictionary(at: now)
    queue.put("update", JSONBody.text(.dictionary(reading)), rows: 1)
  }
}

extension Property {
  /// Whether it is a number that goes on all the time, or several.
  var hasColumn: Bool {
    switch type {
    case .double, .int, .vector: mode == .continuous || mode == .onChange
    default: false
    }
  }
}
