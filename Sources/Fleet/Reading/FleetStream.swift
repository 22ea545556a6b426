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

  private let lastInterval = Lock<Int64>(0)

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

  /// What the publisher says; what it said last while it takes no readings.
  var interval: Int64 {
    let present = link.interval(of: key)
    return lastInterval.withLock { last in
      if present > 0 { last = present }
      return last
    }
  }

  func cancel() { link.remove(self) }

  /// How many blocks are missing so far.
  var missing: Int { place.withLock { $0.missing } }

  // MARK: On the connection's thread

  /// Takes a state; where rows come, only the first.
  func take(_ state: StateMessage, shift given: Int64, hasRows: Bool) {
    let read = { (_: Int) in state.entries.map(\.sample.time) }
    let shift = place.withLock {
      $0.shift(given, of: [state.time.boot], samples: read, in: state.session)
    }
    let samples = state.samples(for: table).map { $0.shifted(by: shift) }
    let time = max(1, state.time.boot &+ shift)
    let before = place.withLock { $0 }
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
    let receipt = SampleBlock.Receipt()
    block.receipt = receipt
    deliver(block)
    let isTaken = receipt.isTaken
    place.withLock { place in
      if isTaken { place.noteShown(state) } else { place = before }
    }
  }

  /// Takes a message of rows. Late rows go to recorders, and with `late=1` to all readers. Returns
  /// false, and forgets the message, if the source is closing.
  func take(
    _ message: ReceivedRows, series: RecordedSeries, shift: Int64, isLate: Bool
  ) -> Bool {
    var series = series
    let before = place.withLock { $0 }
    let parts = place.withLock { $0.news(of: message, isLate: isLate) }
    for part in parts {
      switch part.content {
      case .series(let other): series = other
      case .event: continue
      case .rows(let rows):
        guard rows.propertyCount == series.width else { continue }
        guard deliver(rows, of: series, in: message, shift: shift, isLate: isLate) else {
          place.withLock { $0 = before }
          return false
        }
      }
    }
    return true
  }

  private func deliver(
    _ rows: RecordedRows, of series: RecordedSeries, in message: ReceivedRows, shift given: Int64,
    isLate: Bool
  ) -> Bool {
    let told = rows.times
    let samples = { (row: Int) in rows.samples(ofRow: row).map(\.time) }
    let shift =
      isLate
      ? given
      : place.withLock { $0.shift(given, of: told, samples: samples, in: message.session) }
    let keys = series.properties.map(\.key)
    let places = table.enumerated().map { index, property in
      keys.isEmpty ? index : keys.firstIndex(of: property.key)
    }
    let block = ReplayedBlock(rows, table: table, places: places, shift: shift, isLive: true)
    let isInOrder = zip(block.times, block.times.dropFirst()).allSatisfy { $0 <= $1 }
    let (known, hasGap) =
      isLate
      ? (told.count, false)
      : place.withLock {
        $0.news(of: block.times, told: told, samples: samples, in: message.session)
      }
    // A state overtakes rows: those before it are for those who record.
    let unshown = place.withLock { $0.unshown(known, of: rows, in: message.session) }
    var cuts = unshown.flatMap { block.cut($0, isInOrder: isInOrder) }
    for index in cuts.indices {
      cuts[index].isReplayed = isLate && link.address.tellsLate
      cuts[index].past = cuts[index].isReplayed ? .told : .kept
    }
    if known < told.count {
      var news = block.cut(known..<told.count, isInOrder: isInOrder)
      if hasGap { news[0].hasGap = true }
      cuts += news
    }
    let receipt = SampleBlock.Receipt()
    for var cut in cuts {
      cut.receipt = receipt
      deliver(cut)
      if !receipt.isTaken { return false }
    }
    return true
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
