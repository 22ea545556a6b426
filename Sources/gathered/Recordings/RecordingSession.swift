import Gathering
import Glibc
import Ground
import Recording
import Values

/// Sources being recorded until they have been long enough.
struct RecordingSession {
  private let recorder: Recorder
  private let context: Context
  private let loop: CommandLoop
  private var sources: [Source] = []
  private let isWatched = isatty(STDERR_FILENO) == 1
  private var progress: SinkProgress

  init(_ recorder: Recorder, in context: Context, signals: SignalInbox) {
    self.recorder = recorder
    self.context = context
    loop = CommandLoop(context: context, signals: signals)
    progress = SinkProgress(since: loop.now)
  }

  /// Records and starts the ids; if there are none, all sources that are available, or will be.
  mutating func start(_ ids: [String], every interval: Int64?) throws {
    if ids.isEmpty { return try startAll(every: interval) }
    sources = try ids.map { try open($0) }
    var failures = 0
    for source in sources {
      do throws(SourceError) {
        try recorder.add(source)
        try source.startUpdating(every: interval)
      } catch {
        failures += 1
        CommandFailure(error, about: source.id.description).report()
      }
    }
    if failures == sources.count { throw CommandFailure("") }
  }

  private func startAll(every interval: Int64?) throws {
    let failures = Monitor(0)
    let count = try recorder.addAll(of: context, standIns: true, every: interval) { id, error in
      failures.withLock { $0 += 1 }
      CommandFailure(error, about: id.description).report()
    }
    if count > 0 { return }
    if failures.withLock({ $0 > 0 }) { throw CommandFailure("") }
    throw CommandFailure("there is nothing to record", remedy: "run gathered doctor to see why")
  }

  /// The source an id names; a recording has whole sources.
  private func open(_ text: String) throws -> Source {
    guard case .source(let id) = try TypedIdentifier.parse(text, in: context) else {
      // What is wrong with it is told as everywhere.
      return try context.open(text)
    }
    return try context.open(id)
  }

  /// Records until a signal comes or the time is over, and closes the file.
  mutating func run(for duration: Int64?) throws {
    let begin = loop.now
    let end = duration.map { begin + $0 }
    let step: Int64 = 1_000_000_000
    while end.map({ loop.now < $0 }) ?? true {
      let signals = try loop.wait(until: end, within: step, step: step)
      if signals.contains(where: SignalInbox.ending.contains) { break }
      show(since: begin)
    }
    for source in sources { try? source.stopUpdating() }
    try finish(since: begin)
  }

  private mutating func finish(since begin: Int64) throws {
    do throws(SourceError) {
      try recorder.close(within: 30_000_000_000)
    } catch {
      if isWatched { StandardError.write("\n") }
      throw CommandFailure(error)
    }
    show(since: begin)
    if isWatched { StandardError.write("\n") }
    let lost = recorder.statistics.lost
    if lost > 0 {
      throw CommandFailure("\(lost) rows were lost: \(recorder.path) did not keep up")
    }
  }

  /// How far it is, on a line of its own.
  private mutating func show(since begin: Int64) {
    guard isWatched else { return }
    let seconds = (loop.now - begin) / 1_000_000_000
    let line = progress.line(of: recorder, at: loop.now)
    StandardError.write("\r\u{1B}[K\(seconds) s, \(line)")
  }
}
