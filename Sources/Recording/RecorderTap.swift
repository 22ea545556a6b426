import Gathering
import Ground

/// Passes a session's updates on without keeping the recorder.
///
/// It keeps the queue, since a weak reference could become the last one under the context's lock; a
/// close removes the tap.
final class RecorderTap: UpdateTap {
  /// How many readings are known.
  private static let readingLimit = 1024
  /// How much the time of a row may differ from those of its samples, in nanoseconds.
  private static let tolerance: Int64 = 1_000_000

  private let queue: RecorderQueue
  private let series: Int
  /// When the readings were so that came by themselves, on CLOCK_REALTIME, and the latest of all.
  private let readings = Monitor<(moments: [Int64], latest: Int64)>(([], .min))

  init(_ queue: RecorderQueue, series: Int) {
    self.queue = queue
    self.series = series
  }

  func isOf(_ other: RecorderQueue) -> Bool { queue === other }

  func store(_ block: Block, from session: UInt32) {
    let samples = block.samples
    queue.store(samples, ofSeries: series)
    guard let newest = samples.max(by: { $0.time < $1.time }), newest.sequence > 0,
      newest.status == .ok, samples.contains(where: { $0.flags.contains(.isNew) })
    else { return }
    readings.withLock { readings in
      if readings.moments.count == Self.readingLimit { readings.moments.removeFirst() }
      readings.moments.append(newest.realtime)
      readings.latest = max(readings.latest, newest.realtime)
    }
  }

  func keep(_ rows: RowSlice, from session: UInt32) { store(rows, from: session) }

  /// Stores rows but those that came as readings.
  func store(_ rows: RowSlice, from session: UInt32) {
    let known = readings.withLock { readings -> [Int] in
      guard rows.rowCount > 0, readings.latest > .min,
        rows.realtime(ofRow: 0) <= readings.latest.addingReportingOverflow(Self.tolerance).0
      else { return [] }
      return (0..<rows.rowCount).filter { row in
        let about = rows.realtime(ofRow: row)
        guard readings.moments.contains(where: { ($0 &- about).magnitude <= Self.tolerance })
        else { return false }
        let newest = rows.samples(ofRow: row).max { $0.time < $1.time }
        return newest.map { readings.moments.contains($0.realtime) } ?? false
      }
    }
    if known.isEmpty { return queue.store(rows, ofSeries: series) }
    var start = 0
    for end in known + [rows.rowCount] {
      if end > start { queue.store(rows.prefix(end).following(start), ofSeries: series) }
      start = end + 1
    }
  }
}
