import Gathering
import Ground
import Values

/// The session of a scraper on one source.
final class MetricSession: Sendable {
  /// What takes longer gets a thread of its own the next time, in nanoseconds.
  private static let quick: Int64 = 2_000_000

  private enum Progress {
    case reading, whole, late
  }

  private struct State {
    /// A source that was never read may take long.
    var isSlow = true
    var progress = Progress.late
    /// Values of another session that are new enough; nil where this one has to read.
    var spared: [Sample]?
  }

  let source: Source
  private let worker = SerialWorker(named: "scrape")
  private let state = Monitor(State())

  init(of id: SourceIdentifier, in context: Context) throws(SourceError) {
    source = try context.open(id)
  }

  /// Takes over values that another session has read a moment ago; whether there are any.
  func isSpared() -> Bool {
    let spared = source.valuesInStep
    return state.withLock { state in
      state.spared = spared
      return spared != nil
    }
  }

  /// Whether a reading may take long.
  var isSlow: Bool { state.withLock { $0.isSlow } }

  /// Begins a reading on a thread of its own, unless the last one has not ended.
  func begin(until deadline: Int64) {
    // One that was late goes on where the source is read, and another would wait behind it.
    let hangs = source.isBeingRead
    let begins = state.withLock { state in
      let isFree = state.progress == .whole || (state.progress == .late && !hangs)
      if isFree { state.progress = .reading }
      return isFree
    }
    if begins { worker.submit { [self] in read(until: deadline) } }
  }

  /// Reads on the calling thread.
  func read(until deadline: Int64) {
    let begin = Monitor<State>.moment(after: 0)
    // The values of what cannot be read say why.
    if begin < deadline { try? source.updateValuesInPlace(within: deadline - begin) }
    let end = Monitor<State>.moment(after: 0)
    state.withLock { state in
      state.isSlow = end - begin > Self.quick
      state.progress = end < deadline ? .whole : .late
    }
    state.signalAll()
  }

  /// What is known by a moment, for which it waits where a reading is under way.
  func found(by deadline: Int64) -> MetricSource? {
    let isIn = state.wait(until: deadline) { state -> Bool? in
      if state.spared != nil { return true }
      return state.progress == .reading ? nil : state.progress == .whole
    }
    guard isIn == true else { return nil }
    return MetricSource(source, samples: state.withLock { $0.spared } ?? source.allValues)
  }
}
