import Ground
import Values

extension SessionState {
  /// How many rows wait for a session at most (sources L18).
  static let rowLimit = 4096

  /// Queues this session's share of a stream's rows.
  func enqueue(
    _ block: RowBlock, of producer: ProducerState, every interval: Int64, hasGap: Bool
  ) -> [SessionDelivery] {
    // Rows from before its refresh are the other sessions'.
    guard phase == .updating, !awaitsRefresh else {
      seenRefusals = producer.refused
      return []
    }
    if hasGap { hasLostRows = true }
    dropped += producer.refused &- seenRefusals
    seenRefusals = producer.refused
    let selection = selectRows(of: block, every: interval)
    let count = selection?.count ?? block.rowCount
    guard count > 0 else { return [] }
    let own = isPersonal ? ownRows(of: block, selection) : nil
    let slice = RowSlice(
      block, selection: selection, before: latest, hasGap: hasLostRows, own: own)
    hasLostRows = false
    strikes = 0
    seenReading = producer.readings
    latest = slice.samples(ofRow: count - 1)
    for row in max(0, count - UpdateTimes.limit)..<count { times.append(slice.time(ofRow: row)) }
    for tap in taps { tap.store(slice, from: number) }
    if listeners.isEmpty { values = latest }
    guard awaitsLoop else { return [] }
    return [SessionDelivery(session: number, serial: append(slice, limit: Self.rowLimit))]
  }

  /// The rows of a block a session gets: all if it runs at the hardware's rate, otherwise the first
  /// not earlier than half a hardware period before each point of its grid (sources I6).
  private func selectRows(of block: RowBlock, every interval: Int64) -> [Int]? {
    guard granted > interval, var grid else { return nil }
    var taken: [Int] = []
    for (row, time) in block.times.enumerated() {
      let (moment, overflow) = time.addingReportingOverflow(interval / 2)
      if !overflow, grid.takeTick(at: moment).isDue { taken.append(row) }
    }
    self.grid = grid
    return taken
  }

  // MARK: State of the session

  /// Whether its values differ from the instance's.
  var isPersonal: Bool {
    if phase == .updating && countsFromStart { return true }
    return !owned.isEmpty || !facts.settings.isEmpty || kind.adapts(to: facts)
  }

  /// Restores values set by a script, unless a setting of the session has changed them.
  private func keep(_ scripted: Set<Int>, as before: Reading, in reading: inout Reading) {
    var unset = before
    kind.adapt(&unset, to: SessionFacts(first: facts.first))
    for index in scripted where reading[index] == unset[index] { reading[index] = before[index] }
  }

  /// Replaces the values that depend on the session's settings and start.
  ///
  /// Sequences continue from the session's previous update, so that they never decrease (sources
  /// V8).
  func adapt(
    _ samples: inout [Sample], after prior: [Sample], isFresh: Bool,
    basis: ReadingBasis = ReadingBasis(), at moment: Instant
  ) {
    guard isFresh else {
      for index in owned where index < samples.count { samples[index] = prior[index] }
      return
    }
    var reading = Reading(properties: samples.count, at: moment)
    for index in samples.indices { reading[index] = Outcome(samples[index]) }
    reading.counters = basis.counters
    if phase == .updating { facts.noteFirst(reading) }
    for (index, value) in facts.settings where index < samples.count {
      reading[index] = .ok(value)
    }
    let before = reading
    kind.adapt(&reading, to: facts)
    if !basis.scripted.isEmpty { keep(basis.scripted, as: before, in: &reading) }
    for index in samples.indices {
      let outcome = reading[index]
      if !owned.contains(index) {
        guard outcome != Outcome(samples[index]) else { continue }
        owned.insert(index)
      }
      var sample = prior[index]
      let time = samples[index].time
      let instant =
        time == 0
        ? moment : Instant(boot: time, realtime: samples[index].realtime)
      _ = sample.take(outcome, mode: properties[index].mode, at: instant)
      sample.clockOrigin = samples[index].clockOrigin
      samples[index] = sample
    }
  }

  private func ownRows(of block: RowBlock, _ selection: [Int]?) -> [[Sample]] {
    var prior = latest
    return (selection ?? Array(0..<block.rowCount)).map { row in
      var samples = block.samples(ofRow: row)
      let moment = Instant(
        boot: block.times[row], realtime: block.times[row] &+ block.realtimeOffset)
      adapt(&samples, after: prior, isFresh: true, at: moment)
      prior = samples
      return samples
    }
  }

  /// Takes over a setting of the host's; the next update is made with it.
  func set(_ value: Value, ofPropertyAt index: Int, at now: Instant) {
    facts.settings[index] = value
    owned.insert(index)
    guard values.indices.contains(index) else { return }
    _ = values[index].take(.ok(value), mode: properties[index].mode, at: now)
  }
}
