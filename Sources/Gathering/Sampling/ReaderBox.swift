import Machine

/// The reader of one instance and its last reading: one reading at a time, on any thread.
///
/// The box's lock is held during a reading and is taken before the context's, never inside it.
final class ReaderBox: Sendable {
  struct State {
    var reader: (any InstanceReader)?
    var reading: Reading
    /// The member list changed: the reader is to be made anew.
    var isOutdated = false
    var raws: [Int: RawValue] = [:]
  }

  private let state: Monitor<State>
  private let kind: any SourceKind

  init(_ kind: any SourceKind, properties count: Int) {
    self.kind = kind
    state = Monitor(State(reader: nil, reading: Reading(properties: count)))
  }

  /// Claims the instance unless it is claimed, and tells whether it did so now.
  @discardableResult
  func claim(
    _ make: () throws(SourceError) -> sending any InstanceReader
  ) throws(SourceError) -> Bool {
    try state.withLock { (state) throws(SourceError) -> Bool in
      if state.reader != nil && !state.isOutdated { return false }
      let isReplaced = state.isOutdated && state.reader != nil
      state.reader = try make()
      if isReplaced { state.reading.lineage += 1 }
      state.isOutdated = false
      return true
    }
  }

  /// Lets go of what the reader holds, keeping the raw payloads it read last.
  func release() {
    state.withLock { state in
      guard let reader = state.reader else { return }
      for index in state.reading.outcomes.indices {
        state.raws[index] = reader.raw(ofPropertyAt: index)
      }
      state.reader = nil
    }
  }

  /// Makes the next claim anew.
  func outdate() {
    state.withLock { $0.isOutdated = true }
  }

  /// Takes one reading and hands it on before another can begin. False if there is no reader, or
  /// an outdated one.
  func read(
    _ request: ReadRequest, clock: any MachineClock, then absorb: (Reading) -> Void
  ) -> Bool {
    state.withLock { state in
      guard let reader = state.reader, !state.isOutdated else { return false }
      let before = clock.now
      reader.read(request, into: &state.reading)
      kind.deriveUnlessAggregate(&state.reading, by: reader)
      let after = clock.now
      state.reading.instant = Instant(
        boot: before.boot + (after.boot - before.boot) / 2,
        realtime: after.realtime - (after.boot - before.boot) / 2)
      absorb(state.reading)
      return true
    }
  }

  /// The last payload of a property as the backend gave it.
  func raw(ofPropertyAt index: Int) -> RawValue? {
    state.withLock { $0.reader?.raw(ofPropertyAt: index) ?? $0.raws[index] }
  }
}

extension SourceKind {
  /// Derived values of an aggregate are `combine`'s business.
  fileprivate func deriveUnlessAggregate(_ reading: inout Reading, by reader: any InstanceReader) {
    if reader is AggregateReader { return }
    derivePreserving(&reading)
  }

  /// Fills in derived values, except those a script set.
  func derivePreserving(_ reading: inout Reading) {
    if reading.scripted.isEmpty { return derive(&reading) }
    let kept = reading.scripted.map { ($0, reading[$0]) }
    derive(&reading)
    for (index, outcome) in kept { reading[index] = outcome }
  }
}
