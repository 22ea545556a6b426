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
    let last = writable(like: block.carried)
    let slice = RowSlice(
      block, of: number, choice: selection.map(RowSlice.Choice.places) ?? .all, before: latest,
      hasGap: hasLostRows, own: own, last: last)
    hasLostRows = false
    strikes = 0
    seenReading = producer.readings
    (spare, latest) = (latest, last)
    for row in max(0, count - UpdateTimes.limit)..<count { times.append(slice.time(ofRow: row)) }
    for tap in taps { tap.store(slice, from: number) }
    if hasNoListeners { values = latest }
    guard awaitsLoop else { return [] }
    let queued = outbox.append(slice, limit: Self.rowLimit)
    dropped += UInt64(queued.dropped)
    return [SessionDelivery(session: self, serial: queued.serial)]
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
    follow(grid, skipping: 0)
    return taken
  }

  // MARK: State of the session

  /// Whether its values differ from the instance's.
  var isPersonal: Bool {
    if phase == .updating && countsFromStart { return true }
    return adapts || !owned.isEmpty || !facts.settings.isEmpty
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
    _ block: Block, after prior: Block, isFresh: Bool,
    basis: ReadingBasis = ReadingBasis(), at moment: Instant
  ) {
    guard isFresh else {
      for index in owned where index < block.count { block.set(prior[index], at: index) }
      return
    }
    var reading = Reading(properties: block.count, at: moment)
    for index in 0..<block.count { reading[index] = Outcome(block[index]) }
    reading.counters = basis.counters
    if phase == .updating { facts.noteFirst(reading) }
    for (index, value) in facts.settings where index < block.count {
      reading[index] = .ok(value)
    }
    let before = reading
    kind.adapt(&reading, to: facts)
    if !basis.scripted.isEmpty { keep(basis.scripted, as: before, in: &reading) }
    for index in 0..<block.count {
      let outcome = reading[index]
      let own = block[index]
      if !owned.contains(index) {
        guard outcome != Outcome(own) else { continue }
        owned.insert(index)
      }
      let instant =
        own.time == 0 ? moment : Instant(boot: own.time, realtime: own.realtime)
      var sample = prior[index]
      _ = sample.take(outcome, mode: properties[index].mode, at: instant)
      sample.clockOrigin = own.clockOrigin
      block.set(sample, at: index)
    }
  }

  private func ownRows(of rows: RowBlock, _ selection: [Int]?) -> [Block] {
    var prior = latest
    return (selection ?? Array(0..<rows.rowCount)).map { row in
      let block = rows.carried.copied()
      for column in rows.columns { rows.put(row, of: column, into: block) }
      let moment = Instant(
        boot: rows.times[row], realtime: rows.realtime(ofRow: row))
      adapt(block, after: prior, isFresh: true, at: moment)
      prior = block
      return block
    }
  }

  /// Takes over a setting of the host's; the next update is made with it.
  func set(_ value: Value, ofPropertyAt index: Int, at now: Instant) {
    facts.settings[index] = value
    owned.insert(index)
    guard (0..<values.count).contains(index) else { return }
    let shown = values.copied()
    _ = shown.take(.ok(value), at: index, mode: properties[index].mode, instant: now)
    values = shown
  }
}
