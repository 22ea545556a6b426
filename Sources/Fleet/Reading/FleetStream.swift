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
  let history: RowsHistory
  private var place: Monitor<RowsPlace> { history.place }

  let grantReason = "the publisher's interval"

  init(
    _ key: FleetKey, table: [Property], history: RowsHistory, link: FleetLink,
    deliver: @escaping @Sendable (SampleBlock) -> Void
  ) {
    self.key = key
    self.history = history
    self.table = table
    self.link = link
    self.deliver = deliver
  }

  /// What the publisher says.
  var interval: Int64 { link.interval(of: key) }

  func cancel() { link.remove(self) }

  /// How many blocks are missing so far.
  var missing: Int { place.withLock { $0.missing } }

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

  /// Takes a message of rows; late ones are for those who record, and for others where they want
  /// them.
  func take(_ message: ReceivedRows, series: RecordedSeries, shift: Int64, isLate: Bool) {
    var series = series
    let parts = place.withLock { $0.news(of: message, isLate: isLate) }
    for part in parts {
      switch part.content {
      case .series(let other): series = other
      case .event: continue
      case .rows(let rows):
        guard rows.propertyCount == series.width else { continue }
        deliver(rows, of: series, shift: shift, isLate: isLate)
      }
    }
  }

  private func deliver(
    _ rows: RecordedRows, of series: RecordedSeries, shift: Int64, isLate: Bool
  ) {
    let keys = series.properties.map(\.key)
    let places = table.enumerated().map { index, property in
      keys.isEmpty ? index : keys.firstIndex(of: property.key)
    }
    let block = ReplayedBlock(rows, table: table, places: places, shift: shift, isLive: true)
    let isInOrder = zip(block.times, block.times.dropFirst()).allSatisfy { $0 <= $1 }
    let told = rows.times
    let (known, hasGap) =
      isLate ? (told.count, false) : place.withLock { $0.news(of: block.times, told: told) }
    // A state overtakes rows: those before it are for those who record.
    for var cut in known > 0 ? block.cut(0..<known, isInOrder: isInOrder) : [] {
      cut.isReplayed = isLate && link.address.tellsLate
      cut.past = cut.isReplayed ? .told : .kept
      deliver(cut)
    }
    guard known < block.times.count else { return }
    var cuts = block.cut(known..<block.times.count, isInOrder: isInOrder)
    if hasGap { cuts[0].hasGap = true }
    for cut in cuts { deliver(cut) }
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
