import Gathering
import Ground
import Recording

/// What has come of a source, over the streams that follow each other.
final class RowsHistory: Sendable {
  let place: Monitor<RowsPlace>

  init() { place = Monitor(RowsPlace()) }
}

/// What has come of a series (fleet F28, F32).
struct RowsPlace: Sendable {
  /// What has come of a session.
  private struct Numbers {
    var had = RangeSet<Int>()
    /// The first that came at its time, and what is next then.
    var span: Range<Int>?

    /// How many numbers are missing from the first of those to the last of all.
    var missing: Int {
      guard let span, let last = had.ranges.last else { return 0 }
      let whole = span.lowerBound..<max(span.upperBound, last.upperBound)
      return whole.count - had.ranges.reduce(0) { $0 + $1.clamped(to: whole).count }
    }
  }

  /// How many sessions are remembered.
  private static let sessionLimit = 1024
  /// How many states that were delivered as rows are remembered.
  private static let shownLimit = 64

  private var session = ""
  private var sessions: [String: Numbers] = [:]
  /// The remembered sessions, the oldest first.
  private var order: [String] = []
  private var hasGap = false
  /// The time of the newest row, here and on its own machine in a session.
  private var newest = Int64.min
  private var told = Int64.min
  private var toldSession = ""
  /// The newest sample of that session, likewise: rows and their samples differ in time.
  private var newestSample = (here: Int64.min, own: Int64.min)
  /// The states that streams gave as rows, the newest last: when they were so on their machine.
  private var shown: [(session: String, time: Int64)] = []

  /// Notes the time of a reading, on this machine's clock and on its own, and those of its samples
  /// on its own.
  mutating func noteRead(
    at time: Int64, told own: Int64, sampledAt samples: [Int64], in other: String
  ) {
    newest = max(newest, time)
    if toldSession != other { (toldSession, told, newestSample) = (other, .min, (.min, .min)) }
    told = max(told, own)
    if let latest = samples.max(), latest > newestSample.own {
      newestSample = (latest &+ (time &- own), latest)
    }
  }

  /// How many blocks are missing so far.
  var missing: Int { sessions.values.reduce(0) { $0 + $1.missing } }

  /// Whether something is missing before a state; nil if the state is not a reading. Where rows are
  /// published, only the first state is a reading, and only if it is newer.
  mutating func news(of state: StateMessage, at time: Int64, hasRows: Bool) -> Bool? {
    guard time > newest, !hasRows || newest == .min else { return nil }
    let isOther = begins(state.session)
    let own = state.time.boot
    noteRead(at: time, told: own, sampledAt: [own], in: state.session)
    return isOther
  }

  /// A state was given as a row.
  mutating func noteShown(_ state: StateMessage) {
    if shown.count == Self.shownLimit { shown.removeFirst() }
    shown.append((state.session, state.time.boot))
  }

  /// The ranges of the first `count` rows that were not delivered as states.
  func unshown(_ count: Int, of rows: RecordedRows, in other: String) -> [Range<Int>] {
    let times = shown.filter { $0.session == other }.map(\.time)
    if times.isEmpty { return count > 0 ? [0..<count] : [] }
    // The time of a row may differ from those of its samples.
    let left = (0..<count).filter { row in
      let about = rows.times[row]
      guard times.contains(where: { ($0 &- about).magnitude <= 1_000_000 }) else { return true }
      return rows.samples(ofRow: row).map(\.time).max().map { !times.contains($0) } ?? true
    }
    var ranges = RangeSet<Int>()
    for row in left { ranges.insert(contentsOf: row..<row + 1) }
    return Array(ranges.ranges)
  }

  /// What to add to the times of a session's rows: the given shift, or more if the first new row
  /// would otherwise not be later than the newest row here, or a sample of it than the newest
  /// sample. The times are those on their own machine, samples by row.
  func shift(
    _ given: Int64, of own: [Int64], samples: (Int) -> [Int64], in other: String
  ) -> Int64 {
    guard toldSession == other, let row = own.firstIndex(where: { $0 > told }) else {
      return given
    }
    let shift = max(given, newest &+ 1 &- own[row])
    guard newestSample.own &+ shift < newestSample.here,
      let first = samples(row).filter({ $0 > newestSample.own }).min()
    else { return shift }
    return max(shift, newestSample.here &+ 1 &- first)
  }

  /// How many of some rows are known already, since a state told them, and whether something before
  /// the others is missing. The times are those here and on their own machine, samples by row.
  mutating func news(
    of times: [Int64], told own: [Int64], samples: (Int) -> [Int64], in other: String
  ) -> (known: Int, hasGap: Bool) {
    let isSame = toldSession == other
    let known = zip(times, own).prefix { isSame ? $1 <= told : $0 <= newest }.count
    guard known < times.count, let last = times.last, let lastOwn = own.last else {
      return (known, false)
    }
    noteRead(at: last, told: lastOwn, sampledAt: samples(own.count - 1), in: other)
    defer { hasGap = false }
    return (known, hasGap)
  }

  /// Whether a reading is the first of another session than the one before.
  private mutating func begins(_ other: String) -> Bool {
    if session == other { return false }
    defer { session = other }
    return !session.isEmpty
  }

  /// The blocks of a message that have not come before, on whichever topic; what is missing in
  /// front of those of the present is a gap.
  mutating func news(of message: ReceivedRows, isLate: Bool) -> [ReceivedRows.Part] {
    if !isLate, begins(message.session) { hasGap = true }
    var numbers = sessions[message.session] ?? Numbers()
    let first = Int(message.number)
    let last = message.parts.map { Int($0.number) }.max() ?? first
    guard first <= last, !numbers.had.contains(first) else { return [] }
    let parts = message.parts.filter { !numbers.had.contains(Int($0.number)) }
    numbers.had.insert(contentsOf: first..<last + 1)
    if !isLate {
      // What was sent before we listened is no gap.
      let span = numbers.span ?? first..<first
      if first > span.upperBound { hasGap = true }
      numbers.span = span.lowerBound..<max(span.upperBound, last + 1)
    }
    if sessions.updateValue(numbers, forKey: message.session) == nil {
      order.append(message.session)
      if order.count > Self.sessionLimit { sessions[order.removeFirst()] = nil }
    }
    return parts
  }
}
