import Gathering
import Ground
import Machine
import Values

/// The work of the recorder's thread: makes blocks of queued rows, and writes them to files.
struct RecordingWriter: Sendable {
  let queue: RecorderQueue
  let options: RecorderOptions
  let storage: any FileStorage
  let clock: any TimeSource
  let names: SegmentNames
  var segment: RecordingSegment
  /// The files that are kept, the present one last.
  var segments: [Int]
  var nextSeries: UInt32
  /// The state of the recorder's series in the file, by their number in the queue.
  private var series: [Int: SeriesPacker] = [:]
  private var written = RecorderStatistics()
  private var attempts: WriteAttempts
  private var nextRotation: Int64 = 0

  init(
    _ queue: RecorderQueue, _ options: RecorderOptions, storage: any FileStorage,
    clock: any TimeSource, start: RecordingStart
  ) {
    self.queue = queue
    self.options = options
    self.storage = storage
    self.clock = clock
    names = start.names
    segment = start.segment
    segments = start.segments
    nextSeries = start.nextSeries
    attempts = WriteAttempts(syncInterval: options.syncInterval)
  }

  /// Works until the recorder is closed.
  mutating func run() {
    while true {
      let batch = queue.take(until: segment.isSettled ? nil : attempts.due)
      for run in batch.runs(upTo: options) { record(run, of: batch) }
      for (number, rows) in batch.lost.sorted(by: { $0.key < $1.key }) {
        noteLoss(of: number, rows: rows, of: batch)
      }
      if batch.isLast { segment.append(.closing, closing) }
      attempt(mustSync: batch.isAsked || batch.isLast)
      let held = segment.held
      if batch.isLast { segment.close() }
      queue.report(
        batch, held: held, written: written, failure: attempts.failure.map(SourceError.init))
      if batch.isLast { return }
    }
  }

  private var closing: ValueDictionary {
    let instant = clock.now
    return [
      "boot": .int(instant.boot), "realtime": .int(instant.realtime),
      "rows": .int(Int64(written.rows)), "lost": .int(Int64(queue.statistics.lost)),
    ]
  }

  // MARK: Blocks

  private mutating func record(_ run: RecorderRun, of batch: RecorderQueue.Batch) {
    guard var state = state(of: run.series, of: batch, width: run.width) else {
      written.lost += UInt64(run.rows)
      return
    }
    defer { series[run.series] = state }
    if run.lost > 0 { note(run.lost, in: state.facts) }
    if let (event, instant) = run.event {
      return segment.append(
        RecordedEvent(state.facts.number, event, at: instant), of: state.facts)
    }
    guard let (body, rowCount) = state.pack(run) else { return }
    guard body.count <= Format.bodyLimit else {
      written.lost += UInt64(rowCount)
      return note(Int64(rowCount), in: state.facts)
    }
    rotate(before: body.count)
    segment.append(.rows, body, of: state.facts)
    written.rows += UInt64(rowCount)
    written.blocks += 1
  }

  private mutating func noteLoss(of number: Int, rows: Int64, of batch: RecorderQueue.Batch) {
    guard let state = state(of: number, of: batch, width: nil) else { return }
    series[number] = state
    note(rows, in: state.facts)
  }

  private mutating func note(_ rows: Int64, in series: RecordedSeries) {
    var event = RecordedEvent(series.number, .lost, at: clock.now)
    event.rows = rows
    segment.append(event, of: series)
  }

  /// The state of a series in the file. A source that was bound to its instance, or whose instance
  /// has other properties now, becomes another series of the file.
  private mutating func state(
    of number: Int, of batch: RecorderQueue.Batch, width: Int?
  ) -> SeriesPacker? {
    let present = series[number]
    var facts: RecordedSeries
    switch batch.origins[number] {
    case .stream(let name): facts = RecordedSeries(nextSeries, .stream(name))
    case .source(let source, let added):
      // A closed context has no information about its sources.
      facts = source.context.isClosed ? present?.facts ?? added : RecordedSeries(0, source)
    }
    if let present, present.facts.isSame(as: facts) { return present }
    if let width, width != facts.width {
      if let present, present.facts.width == width { return present }
      return nil
    }
    nextSeries += 1
    facts.number = nextSeries - 1
    return SeriesPacker(facts)
  }

  // MARK: Files

  private mutating func attempt(mustSync: Bool) {
    let held = segment.held
    let isFull = held >= options.memoryLimit / 4
    guard let isDue = attempts.plan(mustSync: mustSync, isFull: isFull) else { return }
    do {
      try segment.write(andSync: isDue)
      if segment.isSettled { written.bytes += UInt64(held) }
      attempts.note(nil, hasSynced: isDue, path: segment.path)
    } catch {
      attempts.note(error, hasSynced: false, path: segment.path)
    }
  }

  /// Continues in another file if the present one is long or old enough; not while writing fails.
  private mutating func rotate(before more: Int) {
    let isLong = options.rotateBytes.map { segment.size + more > $0 } ?? false
    let isOld = options.rotateInterval.map { clock.now.boot - segment.birth >= $0 } ?? false
    guard isLong || isOld, segment.hasRows, attempts.failure == nil,
      WriteAttempts.now >= nextRotation
    else { return }
    segment.append(.closing, closing)
    attempt(mustSync: true)
    guard attempts.failure == nil else { return }
    let number = segment.number + 1
    do {
      let file = try storage.open(names.path(ofSegment: number), for: .creating)
      let instant = clock.now
      segment = RecordingSegment(file, number: number, birth: instant.boot)
      segment.append(RecordedOpening(instant: instant, segment: number))
      segments.append(number)
      while let keep = options.keep, segments.count > keep {
        try? storage.remove(names.path(ofSegment: segments.removeFirst()))
      }
    } catch {
      // The present one just grows longer.
      nextRotation = WriteAttempts.now + 1_000_000_000
      Log.write(.warning, "recording", SourceError(error).message)
    }
  }
}

extension Sample {
  /// Marks a gap before a sample; it is new if it differs from the last one recorded.
  mutating func markGap(after last: PropertyColumn.Progress?) {
    flags.insert(.gap)
    guard let last else { return }
    if last.sequence != sequence || last.status != status { flags.insert(.isNew) }
  }
}

extension [PropertyColumn.Progress] {
  /// How far a property was, if it was there.
  func progress(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
