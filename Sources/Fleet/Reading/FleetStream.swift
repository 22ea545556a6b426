import Gathering
import Ground
import Recording
import Values

/// The readings of one source as they come from its machine.
///
/// Where rows come, they are the readings; where only states come, those are.
final class FleetStream: SampleStream {
  let key: FleetKey
  private let table: [Property]
  private let link: FleetLink
  private let deliver: @Sendable (SampleBlock) -> Void
  private let place: Monitor<RowsPlace>

  let grantReason = "the publisher's interval"

  init(
    _ key: FleetKey, table: [Property], behind newest: Int64, link: FleetLink,
    deliver: @escaping @Sendable (SampleBlock) -> Void
  ) {
    self.key = key
    place = Monitor(RowsPlace(behind: newest))
    self.table = table
    self.link = link
    self.deliver = deliver
  }

  /// What the publisher says.
  var interval: Int64 { link.interval(of: key) }

  func cancel() { link.remove(self) }

  // MARK: On the connection's thread

  /// Takes a state; where rows come, only the first.
  func take(_ state: StateMessage, shift: Int64, hasRows: Bool) {
    let samples = state.samples(for: table).map { $0.shifted(by: shift) }
    let time = max(1, state.time.boot &+ shift)
    let gap = place.withLock { $0.news(of: state, at: time, hasRows: hasRows) }
    guard let gap else { return }
    var block = SampleBlock(times: [time], origin: .library, columns: [:])
    for (index, sample) in samples.enumerated() {
      block.columns[index] = .runs([
        SampleBlock.Run(
          from: 0, Outcome(finished: sample), sequence: sample.sequence,
          realtime: sample.realtime)
      ])
    }
    block.realtimeOffset = state.time.realtime &- time
    block.hasGap = gap
    deliver(block)
  }

  /// Takes a message of rows.
  func take(_ message: ReceivedRows, series: RecordedSeries, shift: Int64) {
    var series = series
    let parts = place.withLock { $0.news(of: message) }
    for part in parts {
      switch part.content {
      case .series(let other): series = other
      case .event: continue
      case .rows(let rows):
        guard rows.propertyCount == series.width else { continue }
        deliver(rows, of: series, shift: shift)
      }
    }
  }

  private func deliver(_ rows: RecordedRows, of series: RecordedSeries, shift: Int64) {
    let keys = series.properties.map(\.key)
    let places = table.enumerated().map { index, property in
      keys.isEmpty ? index : keys.firstIndex(of: property.key)
    }
    let block = ReplayedBlock(rows, table: table, places: places, shift: shift, isLive: true)
    let isInOrder = zip(block.times, block.times.dropFirst()).allSatisfy { $0 <= $1 }
    let (known, hasGap) = place.withLock { $0.news(of: block.times) }
    guard known < block.times.count else { return }
    var cuts = block.cut(known..<block.times.count, isInOrder: isInOrder)
    if hasGap { cuts[0].hasGap = true }
    for cut in cuts { deliver(cut) }
  }
}

/// What has come of a series (fleet F28).
struct RowsPlace: Sendable {
  private var session = ""
  private var next: UInt32 = 0
  private var hasGap = false
  /// The time of the newest row.
  private var newest: Int64

  init(behind newest: Int64) { self.newest = newest }

  /// Whether a state is a reading, and if so, whether something before it is missing: where rows
  /// come only the first is, and none that is not newer.
  mutating func news(of state: StateMessage, at time: Int64, hasRows: Bool) -> Bool? {
    guard time > newest, !hasRows || newest == .min else { return nil }
    newest = time
    return begins(state.session)
  }

  /// How many of some rows are known already, since a state told them, and whether something before
  /// the others is missing.
  mutating func news(of times: [Int64]) -> (known: Int, hasGap: Bool) {
    let known = times.prefix { $0 <= newest }.count
    guard known < times.count else { return (known, false) }
    newest = max(newest, times.last ?? newest)
    defer { hasGap = false }
    return (known, hasGap)
  }

  /// Whether a reading is the first of another session than the one before.
  private mutating func begins(_ other: String) -> Bool {
    if session == other { return false }
    defer { (session, next) = (other, 0) }
    return !session.isEmpty
  }

  /// The blocks of a message that have not come before; what is missing in front of them is a gap.
  mutating func news(of message: ReceivedRows) -> [ReceivedRows.Part] {
    let isFirst = session.isEmpty || session != message.session
    if begins(message.session) { hasGap = true }
    // What was sent before we listened is no gap.
    if isFirst { next = message.number }
    guard message.number >= next else { return [] }
    if message.number > next { hasGap = true }
    let last = message.parts.map(\.number).max() ?? message.number
    next = max(last, message.number) &+ 1
    return message.parts
  }
}

extension Sample {
  /// The same on another machine's boot clock; what was before that machine started is at its
  /// start.
  func shifted(by shift: Int64) -> Sample {
    guard sequence > 0 else { return self }
    var sample = self
    sample.time = max(1, sample.time &+ shift)
    return sample
  }
}

extension Outcome {
  /// A sample as it was read elsewhere, of its own time.
  fileprivate init(finished sample: Sample) {
    self.init(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
    if sample.sequence > 0 {
      stamp = sample.time
      stampOrigin = sample.clockOrigin
    }
    isReplayed = sample.flags.contains(.replayed)
  }
}
