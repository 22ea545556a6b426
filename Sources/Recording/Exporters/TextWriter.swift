import Gathering
import Ground
import Machine

/// The thread of a recorder that writes text: turns what waits into lines, and lines into a file.
struct TextWriter: Sendable {
  private let queue: RecorderQueue
  private let options: RecorderOptions
  private let clock: any TimeSource
  private let text: RowText
  private let isWide: Bool
  private var file: AppendedFile
  /// Whether the first line is still to be written.
  private var needsHeader: Bool
  private var attempts: WriteAttempts
  private var written = RecorderStatistics()
  /// What the series are, by their number in the queue.
  private var series: [Int: TextSeries] = [:]
  /// The columns of the file, once there are any.
  private var shape: TextSeries?
  /// Lines that are not yet a chunk.
  private var lines: [UInt8] = []

  /// Opens the file. Throws `io` with EEXIST where there is one and it is to be refused.
  init(
    _ path: String, as format: TextFormat, _ queue: RecorderQueue, _ options: RecorderOptions,
    in storage: any FileStorage, clock: any TimeSource
  ) throws(SourceError) {
    self.queue = queue
    self.options = options
    self.clock = clock
    text = RowText(format)
    isWide = format == .csv(.wide)
    attempts = WriteAttempts(syncInterval: options.syncInterval)
    do throws(SystemError) {
      let stored = try Self.open(path, options.existing, in: storage)
      let size = try stored.size()
      needsHeader = size == 0
      file = AppendedFile(stored, size: size)
      // Behind a line that a killed process left without its end.
      if size > 0, try stored.bytes(at: size - 1, count: 1) != [0x0A] { lines = [0x0A] }
    } catch {
      throw SourceError(error)
    }
  }

  private static func open(
    _ path: String, _ existing: RecorderOptions.Existing, in storage: any FileStorage
  ) throws(SystemError) -> any StoredFile {
    do throws(SystemError) {
      return try storage.open(path, for: .creating)
    } catch {
      guard error.code == .exists, existing != .refuse else { throw error }
      let file = try storage.open(path, for: .changing)
      if existing == .overwrite { try file.truncate(to: 0) }
      return file
    }
  }

  /// Works until the recorder is closed.
  mutating func run() {
    while true {
      let batch = queue.take(until: file.isSettled ? nil : attempts.due)
      for item in batch.items {
        take(item, of: batch)
        // Not all of a large batch as text at once.
        if lines.count >= 1 << 20 { attempt(mustSync: false) }
      }
      for (number, rows) in batch.lost.sorted(by: { $0.key < $1.key }) {
        noteLoss(of: rows, in: facts(number, of: batch))
      }
      attempt(mustSync: batch.isAsked || batch.isLast)
      let held = file.held
      if batch.isLast { file.close() }
      queue.report(
        batch, held: held, written: written, failure: attempts.failure.map { SourceError($0) })
      if batch.isLast { return }
    }
  }

  private mutating func attempt(mustSync: Bool) {
    file.append(lines)
    if !lines.isEmpty { written.blocks += 1 }
    lines = []
    let held = file.held
    let isFull = held >= options.memoryLimit / 4
    guard let isDue = attempts.plan(mustSync: mustSync, isFull: isFull) else { return }
    do throws(SystemError) {
      try file.write(andSync: isDue)
      if file.isSettled { written.bytes += UInt64(held) }
      attempts.note(nil, hasSynced: isDue, path: file.path)
    } catch {
      attempts.note(error, hasSynced: false, path: file.path)
    }
  }

  // MARK: Lines

  private mutating func take(_ item: RecorderQueue.Item, of batch: RecorderQueue.Batch) {
    let facts = facts(item.series, of: batch)
    if item.lost > 0 { noteLoss(of: item.lost, in: facts) }
    switch item.content {
    case .event(let event, let instant):
      text.append(RecordedEvent(0, event, at: instant), of: facts, to: &lines)
      // An event may have changed what the source is.
      series[item.series] = nil
    case .reading(let samples):
      let time = samples.max { $0.time < $1.time }?.realtime ?? 0
      append(samples, time: time, of: facts)
    case .rows(let slice):
      for row in 0..<slice.rowCount {
        append(slice.samples(ofRow: row), time: slice.realtime(ofRow: row), of: facts)
      }
    }
  }

  private mutating func append(_ row: [Sample], time: Int64, of facts: TextSeries) {
    if shape == nil {
      let first = facts.settled(by: row)
      if needsHeader { lines += text.header(for: first) }
      shape = first
    }
    if isWide, let shape {
      text.append(shape.arranged(row, of: facts), time: time, of: shape, to: &lines)
    } else {
      text.append(row, time: time, of: facts, to: &lines)
    }
    written.rows += 1
  }

  private mutating func noteLoss(of rows: Int64, in facts: TextSeries) {
    var event = RecordedEvent(0, RecordedEvent.What.lost, at: clock.now)
    event.rows = rows
    text.append(event, of: facts, to: &lines)
  }

  /// What a series is now.
  private mutating func facts(_ number: Int, of batch: RecorderQueue.Batch) -> TextSeries {
    if let known = series[number] { return known }
    let facts =
      switch batch.origins[number] {
      case .stream(let name): RecordedSeries(0, .stream(name))
      // A closed context tells nothing of its sources any more.
      case .source(let source, let added):
        source.context.isClosed ? added : RecordedSeries(0, source)
      }
    let made = TextSeries(facts)
    series[number] = made
    return made
  }
}
