import Ground
import Synchronization

/// The reader of one instance and its last reading: one reading at a time, on any thread.
///
/// The box's lock is held during a reading and is taken before the context's, never inside it.
final class ReaderBox: Sendable {
  struct State {
    var reader: (any InstanceReader)?
    var reading: Reading
    /// Whether the reader is one for an aggregate, whose derived values `combine` computes.
    var isAggregate = false
    /// The member list changed: the reader is to be made anew.
    var isOutdated = false
    var raws: [Int: RawValue] = [:]
    /// Whether the reader has read everything, and what was allowed then.
    var hasReadWhole = false
    var allowanceOfWhole = Allowance.none
    /// How many readings there were.
    var count: UInt64 = 0
  }

  private let state: Monitor<State>
  private let kind: any SourceKind
  private let propertyCount: Int
  /// What is known without waiting for a reading that may hang.
  private let known = Monitor(Known())

  /// Whether a reading that may block is under way, and whether it is to leave its raw payloads:
  /// two bits, changed at once, so that a reading enters no lock for them while none are kept.
  private let progress = Atomic<UInt8>(0)
  private static let isReading: UInt8 = 1
  /// Since they were first asked for.
  private static let keepsRaws: UInt8 = 2

  private struct Known {
    var worker: SerialWorker?
    /// The raw payloads of the last reading, once they are kept.
    var raws: [RawValue?] = []
    var streamsBelow: Int64?
    var wasClaimed = false
    var listener: (any ReportListener)?
    var holdsDevice = false
  }

  init(_ kind: any SourceKind, properties count: Int) {
    self.kind = kind
    propertyCount = count
    // Room for its values is made when it is claimed.
    state = Monitor(State(reader: nil, reading: Reading(properties: 0)), rank: .reading)
  }

  deinit { known.withLock { $0.worker }?.endWhenIdle() }

  /// How long a worker waits for the next reading, in nanoseconds: so one thread serves readings
  /// that follow each other by a second.
  private static let workerPatience: Int64 = 2_000_000_000

  /// Where readings are taken that may block; nil where they take microseconds.
  var worker: SerialWorker? { known.withLock { $0.worker } }

  /// Whether it was ever claimed, and so `worker` tells the truth.
  var wasClaimed: Bool { known.withLock { $0.wasClaimed } }

  /// What hears a daemon's reports for the claimed reader; nil where there is no daemon.
  var listener: (any ReportListener)? { known.withLock { $0.listener } }

  /// Whether the device of the reader claimed last is taken, or a daemon listened to, while it is
  /// claimed.
  var holdsDevice: Bool { known.withLock { $0.holdsDevice } }

  /// Sessions that ask for less are served by a stream; nil if there is none.
  var streamsBelow: Int64? { known.withLock { $0.streamsBelow } }

  /// Which callers may read the reader claimed last on their own threads.
  var directness: Directness {
    known.withLock { known in
      guard known.wasClaimed, known.listener == nil, !known.holdsDevice else { return .none }
      return known.worker == nil ? .all : .patient
    }
  }

  /// Claims the instance unless it is claimed, and tells whether it did so now.
  @discardableResult
  func claim(
    _ make: () throws(SourceError) -> sending any InstanceReader
  ) throws(SourceError) -> Bool {
    let (isClaimed, former) = try state.withLock {
      (state) throws(SourceError) -> (Bool, ReplacedReader) in
      if state.reader != nil && !state.isOutdated { return (false, ReplacedReader()) }
      let isReplaced = state.isOutdated && state.reader != nil
      let reader = try make()
      if state.reading.count != propertyCount { state.reading = Reading(properties: propertyCount) }
      let former = ReplacedReader(reader: state.reader, listener: note(reader))
      state.reader = reader
      state.isAggregate = reader is AggregateReader
      state.hasReadWhole = false
      if isReplaced { state.reading.lineage += 1 }
      state.isOutdated = false
      return (true, former)
    }
    withExtendedLifetime(former) {}
    return isClaimed
  }

  /// What a claim replaces: let go outside the lock, since it may close a connection.
  private struct ReplacedReader {
    var reader: (any InstanceReader)?
    var listener: (any ReportListener)?
  }

  /// Notes what a reader is like; the listener of the one before, for the caller to let go.
  private func note(_ reader: any InstanceReader) -> (any ReportListener)? {
    let mayBlock = reader.mayBlock
    let streamsBelow = (reader as? any StreamingReader)?.streamsBelow
    let listener = (reader as? any ReportReader)?.listener
    let holdsDevice = reader.holdsDevice || listener != nil
    return known.withLock { known in
      defer { known.listener = listener }
      known.holdsDevice = holdsDevice
      known.streamsBelow = streamsBelow
      known.wasClaimed = true
      if mayBlock && known.worker == nil {
        known.worker = SerialWorker(named: "gkit-\(kind.kind)", waiting: Self.workerPatience)
      }
      return known.listener
    }
  }

  /// Lets go of what the reader of an absent instance holds, unless that is what hears of its
  /// return.
  func releaseUnlessListening() {
    if listener == nil { release() }
  }

  /// Lets go of what the reader holds, keeping the raw payloads it read last. Does not wait for a
  /// reading that hangs.
  func release() {
    // Let go outside the lock: it closes a connection.
    let listener = known.withLock { known in
      defer { known.listener = nil }
      return known.listener
    }
    defer { withExtendedLifetime(listener) {} }
    guard let worker, !worker.isCurrent else { return releaseNow() }
    worker.submit { self.releaseNow() }
  }

  private func releaseNow() {
    let former = state.withLock { state -> (any InstanceReader)? in
      guard let reader = state.reader else { return nil }
      for index in state.reading.indices {
        state.raws[index] = reader.raw(ofPropertyAt: index)
      }
      state.reader = nil
      return reader
    }
    withExtendedLifetime(former) {}
  }

  /// Makes the next claim anew.
  func outdate() {
    state.withLock { $0.isOutdated = true }
  }

  /// Takes one reading and hands it on before another can begin. False if there is no reader, or
  /// an outdated one, if it could only begin at a boot time in nanoseconds or later, or if it
  /// spares what was not read before.
  @inline(__always)
  func read(
    _ request: ReadRequest, clock: any TimeSource, before deadline: Int64 = .max,
    then absorb: (borrowing Reading) -> Void
  ) -> Bool {
    state.withLock { state in
      guard take(request, clock, before: deadline, in: &state) else { return false }
      absorb(state.reading)
      return true
    }
  }

  /// Takes one reading, under the lock; false as above.
  @_optimize(speed)
  @inline(never)
  private func take(
    _ request: ReadRequest, _ clock: any TimeSource, before deadline: Int64,
    in state: inout State
  ) -> Bool {
    guard let reader = state.reader, !state.isOutdated else { return false }
    if request.isSparing && !(state.hasReadWhole && state.allowanceOfWhole == request.allow) {
      return false
    }
    // What is computed over time may want to know it; the offset is that of the last reading.
    let offset = state.reading.instant.realtime &- state.reading.instant.boot
    let before = clock.boot
    if before >= deadline { return false }
    let mayBlock = reader.mayBlock
    if mayBlock { progress.bitwiseOr(Self.isReading, ordering: .acquiringAndReleasing) }
    state.reading.instant =
      offset == 0 ? clock.now : Instant(boot: before, realtime: before &+ offset)
    state.reading.store.begin()
    reader.read(request, into: &state.reading)
    if !state.isAggregate { kind.derivePreserving(&state.reading) }
    if request.scope == .everything {
      state.hasReadWhole = true
      state.allowanceOfWhole = request.allow
    }
    state.count += 1
    state.reading.number = state.count
    let after = clock.now
    let half = (after.boot - before) / 2
    state.reading.instant = Instant(boot: before + half, realtime: after.realtime - half)
    if mayBlock { leaveRaws(of: reader, state.reading.indices) }
    return true
  }

  /// Opens the stream of the claimed instance.
  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    try state.withLock { (state) throws(SourceError) -> any SampleStream in
      guard let claimed = state.reader else {
        // The claim failed, or its instance went away: a later one may find it.
        throw .io(errno: SystemText.tryAgain, place: kind.kind)
      }
      guard let reader = claimed as? any StreamingReader else {
        throw .notSupported("\(kind.kind) has no stream")
      }
      return try reader.openStream(
        every: interval, on: loop, deliver: deliver, ended: ended)
    }
  }

  /// Ends a reading that may block: its raw payloads are for those who do not wait for the next.
  private func leaveRaws(of reader: any InstanceReader, _ indices: Range<Int>) {
    // The first question waits for a reading only once they are kept.
    let (isEnded, _) = progress.compareExchange(
      expected: Self.isReading, desired: 0, ordering: .acquiringAndReleasing)
    if isEnded { return }
    let raws = indices.map { reader.raw(ofPropertyAt: $0) }
    let former = known.withLock { known in
      defer { known.raws = raws }
      progress.store(Self.keepsRaws, ordering: .releasing)
      return known.raws
    }
    known.signalAll()
    withExtendedLifetime(former) {}
  }

  /// How long the first question for a raw payload waits for a reading under way, in nanoseconds.
  private static let rawPatience: Int64 = 1_000_000_000

  /// The last payload of a property as the backend gave it.
  ///
  /// Where a reading may block, those of the last are kept from the first question on: only that
  /// one waits for a reading under way, and for one that hangs no longer than its patience.
  func raw(ofPropertyAt index: Int) -> RawValue? {
    if worker != nil {
      let kept = known.wait(until: Monitor<Known>.moment(after: Self.rawPatience)) { known in
        let former = progress.bitwiseOr(Self.keepsRaws, ordering: .acquiringAndReleasing).oldValue
        return former & Self.isReading != 0 && known.raws.isEmpty ? nil : known.raws
      }
      guard let kept else { return nil }
      if kept.indices.contains(index) { return kept[index] }
    }
    return state.withLock { $0.reader?.raw(ofPropertyAt: index) ?? $0.raws[index] }
  }
}

/// Which callers may read an instance on their own threads.
enum Directness: Sendable {
  /// None: it holds a device, hears a daemon or was never claimed.
  case none
  /// Those that wait without limit: a reading may block, and nothing could end it in time.
  case patient
  /// All.
  case all

  /// Whether a caller with a limit in nanoseconds may.
  func includes(limit: Int64) -> Bool {
    switch self {
    case .none: false
    case .patient: limit == .max
    case .all: true
    }
  }
}

extension SourceKind {
  /// Fills in derived values, except those a script set.
  func derivePreserving(_ reading: inout Reading) { reading.derive(by: self) }
}
