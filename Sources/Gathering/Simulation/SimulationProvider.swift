import Ground
import Synchronization
import Values

/// Finds and reads the instances of a simulated device, which a script brings to life.
///
/// Lines at 0 have acted when it exists; later ones act on the loop, those of one moment in order
/// and before everything scheduled for that moment afterwards.
final class SimulationProvider: InstanceProvider {
  /// The script calls; nothing else runs.
  let tellsForFree = true
  let mechanisms = [Mechanism(name: SimulatedWorld.backend, version: Version.text)]

  /// The largest script read.
  private static var sizeLimit: Int { 1 << 26 }

  private struct State {
    var world: SimulatedWorld
    var watches: [(number: UInt64, kind: Int, changed: @Sendable (Change) -> Void)] = []
    var lastWatch: UInt64 = 0
  }

  private let state: Monitor<State>
  /// Counts the moments at which lines acted.
  fileprivate let changes = Atomic<UInt64>(0)
  private let clock: any TimeSource
  private let opening: Int64
  private let timers = Monitor<[any Cancellable]>([])

  init(_ script: Script, catalogue: [any SourceKind], loop: any Loop) {
    clock = loop.clock
    opening = loop.clock.now.boot
    var world = SimulatedWorld(catalogue, tables: script.tables, openedAt: opening)
    let later = script.lines.drop { $0.time == 0 }
    _ = world.apply(script.lines.prefix(later.startIndex))
    state = Monitor(State(world: world))
    var armed: [any Cancellable] = []
    var rest = later
    while let time = rest.first?.time {
      let lines = rest.prefix { $0.time == time }
      rest = rest[lines.endIndex...]
      let (moment, isNever) = opening.addingReportingOverflow(time)
      if isNever { break }
      let due = Moment(nanoseconds: moment)
      armed.append(loop.schedule(at: due) { [weak self] in self?.act(lines) })
    }
    timers.withLock { $0 = armed }
  }

  /// A built-in device: `empty`, `laptop` or `phone`; another name is `notFound`.
  convenience init(
    named name: String, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) {
    let device = BuiltInDevice(rawValue: name)
    guard device != nil || name == "empty" else {
      let known = (["empty"] + BuiltInDevice.allCases.map(\.rawValue)).joined(separator: ", ")
      throw .notFound(
        "no simulated device \(Array(name.utf8).quotedExcerpt); there are \(known)")
    }
    let text = device.map { device in
      catalogue.map { $0.simulated(on: device) }.joined(separator: "\n")
    }
    let script = try Script(parsing: (text ?? "").utf8, catalogue: catalogue, origin: .library)
    self.init(script, catalogue: catalogue, loop: loop)
  }

  /// The device of a script; a missing file is `notFound`, a bad line `parse`.
  convenience init(
    scriptAt path: String, catalogue: [any SourceKind], loop: any Loop
  ) throws(SourceError) {
    let text = try NamedFile(path).bytes(limit: Self.sizeLimit)
    self.init(try Script(parsing: text, catalogue: catalogue), catalogue: catalogue, loop: loop)
  }

  deinit {
    for timer in timers.withLock({ $0 }) { timer.cancel() }
  }

  func discover(_ kind: any SourceKind) -> Discovery {
    look(at: kind)?.discovery
      ?? Discovery([], orElse: .simulated(.noHardware, detail: "no such kind is simulated"))
  }

  func claim(
    _ instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> sending (any InstanceReader)? {
    guard look(at: kind)?.instance(instance.name) != nil else {
      throw .unavailable(.gone(instance.name))
    }
    return SimulatedReader(of: instance.name, kind, in: self)
  }

  /// What is set stays, as if the script had said so at this moment.
  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, of kind: any SourceKind
  ) throws(SourceError) {
    guard let number = state.withLock({ $0.world.index(of: kind) }) else {
      throw .unavailable(.gone(instance.name))
    }
    let target = ScriptTarget(
      kind: number, instance: instance.name, isAggregate: instance.isAggregate)
    let line = ScriptLine(
      number: .max, time: now.position, target: target, action: .set(property: index, value))
    actAtOnce([line])
  }

  func floor(of instance: Instance, of kind: any SourceKind) -> (interval: Int64, reason: String) {
    let simulated = look(at: kind)
    let floor = simulated?.instance(instance.name).flatMap { simulated?.floor(of: $0) } ?? 0
    return floor > Intervals.smallest
      ? (floor, "the driver's floor") : (Intervals.smallest, "the library's minimum")
  }

  func beginWatching(
    _ kind: any SourceKind, besides ticks: @escaping @Sendable () -> Int64?,
    changed: @escaping @Sendable (Change) -> Void
  ) -> [any Cancellable] {
    let number = state.withLock { state -> UInt64? in
      guard let index = state.world.index(of: kind) else { return nil }
      state.lastWatch += 1
      state.watches.append((state.lastWatch, index, changed))
      return state.lastWatch
    }
    return number.map { [SimulationWatch(provider: self, number: $0)] } ?? []
  }

  fileprivate func endWatch(_ number: UInt64) {
    // What the watch holds may call back when let go: outside the lock.
    _ = state.withLock { state in
      let index = state.watches.firstIndex { $0.number == number }
      return index.map { state.watches.remove(at: $0) }
    }
  }

  /// A kind at this moment.
  private func look(at kind: any SourceKind) -> SimulatedKind? {
    state.withLock { state in state.world.index(of: kind).map { state.world.kinds[$0] } }
  }

  // MARK: The script goes on

  private func act(_ lines: ArraySlice<ScriptLine>) {
    // What goes and comes back in one moment has been away: that is told before it is back.
    var removed: Set<ScriptTarget> = []
    var start = lines.startIndex
    for (index, line) in zip(lines.indices, lines) {
      if line.action == .remove { removed.insert(line.target) }
      if line.action == .add, removed.remove(line.target) != nil {
        actAtOnce(lines[start..<index])
        start = index
      }
    }
    actAtOnce(lines[start...])
  }

  private func actAtOnce(_ lines: ArraySlice<ScriptLine>) {
    let changes = state.withLock { $0.world.apply(lines) }
    self.changes.add(1, ordering: .acquiringAndReleasing)
    for change in changes {
      let numbers = state.withLock { state in
        state.watches.filter { $0.kind == change.kind }.map(\.number)
      }
      for number in numbers {
        // Looked up one by one: an earlier one may have ended a later one.
        let watch = state.withLock { state in state.watches.first { $0.number == number } }
        watch?.changed(change.notice)
      }
    }
  }

  // MARK: Reading

  /// The number of a kind in the device; nil if it has none.
  fileprivate func number(of kind: any SourceKind) -> Int? {
    state.withLock { $0.world.index(of: kind) }
  }

  /// The revision of an instance; nil if it is gone.
  fileprivate func revision(of name: String, ofKind number: Int) -> UInt64? {
    state.withLock { $0.world.kinds[number].revision(of: name) }
  }

  /// Fills in what a reading at this moment gives; what one after it computes anew, or nil if that
  /// has to be complete, too. False if the instance could not be asked.
  fileprivate func read(
    _ name: String, of kind: any SourceKind, _ request: ReadRequest, into reading: inout Reading
  ) -> (isRead: Bool, repeated: RepeatedReading?) {
    guard let simulated = look(at: kind) else { return (false, nil) }
    let instance = simulated.instance(name)
    let availability = instance.map { simulated.availability(of: $0) } ?? .gone(name)
    guard let instance, availability.group == .available else {
      let outcome = Outcome.absent(for: availability)
      for index in reading.indices { reading[index] = outcome }
      reading.scripted = Set(reading.indices)
      return (false, nil)
    }
    instance.read(request, at: now, into: &reading)
    return (true, kind.overrulesScripts ? nil : instance.repeated)
  }

  fileprivate func raw(_ name: String, of kind: any SourceKind, _ index: Int) -> RawValue? {
    look(at: kind)?.instance(name)?.raw(index, at: now)
  }

  fileprivate var now: SimulatedTime {
    SimulatedTime(opening: opening, position: clock.now.boot - opening)
  }
}

/// Reads one instance of a simulated device, whatever becomes of it.
private final class SimulatedReader: InstanceReader {
  private let name: String
  private let kind: any SourceKind
  private let provider: SimulationProvider
  private let number: Int?
  /// What a reading after the last complete one computes anew.
  private var last: Complete?
  /// The last reading found nothing to read: what never changes is then due, too.
  private var isStartingAfresh = false

  private struct Complete {
    let repeated: RepeatedReading
    let allow: Allowance
    /// How many changes the device had seen when the instance was known to be as it was read.
    var changes: UInt64
  }

  init(of name: String, _ kind: any SourceKind, in provider: SimulationProvider) {
    self.name = name
    self.kind = kind
    self.provider = provider
    number = provider.number(of: kind)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    // Before the reading: what acts meanwhile is noticed at the next one.
    let changes = provider.changes.load(ordering: .acquiring)
    if let repeated = repeated(after: changes, request.allow) {
      return repeated.read(request, at: provider.now, into: &reading)
    }
    var request = request
    if isStartingAfresh { request.scope = .everything }
    let (isRead, repeated) = provider.read(name, of: kind, request, into: &reading)
    isStartingAfresh = !isRead
    last =
      request.scope == .everything
      ? repeated.map { Complete(repeated: $0, allow: request.allow, changes: changes) } : nil
  }

  /// What is to be computed anew if no line has acted on the instance since its last complete
  /// reading; nil if one has.
  @inline(__always)
  private func repeated(after changes: UInt64, _ allow: Allowance) -> RepeatedReading? {
    guard let last, last.allow == allow else { return nil }
    if last.changes == changes { return last.repeated }
    guard let number, provider.revision(of: name, ofKind: number) == last.repeated.revision
    else { return nil }
    self.last?.changes = changes
    return last.repeated
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { provider.raw(name, of: kind, index) }
}

private struct SimulationWatch: Cancellable {
  weak let provider: SimulationProvider?
  let number: UInt64

  func cancel() { provider?.endWatch(number) }
}

extension Availability {
  /// Of an instance a script removed.
  fileprivate static func gone(_ name: String) -> Availability {
    .simulated(.disconnected, detail: "\(name) is gone")
  }
}
