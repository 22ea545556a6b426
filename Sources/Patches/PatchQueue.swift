import Gathering
import Ground
import Streams
import Values

/// The values that wait on a loop, in their one order (patches L31), and the records of its ports.
///
/// It only decides: the loop guards it with its lock and carries out what it answers.
struct PatchQueue: Sendable {
  /// A piece of work that is no value of a port of this loop.
  indirect enum Errand: Sendable {
    /// The initial values of a port up to a place.
    case initialValues(Port, UInt64)
    /// A value of a stream that is no port of this loop, for the wire of that number.
    case streamed(Port, Sample, wire: UInt64)
    /// Something a patch wants to do at a time of its own.
    case action(@Sendable () -> Void)
    /// An announcement of a patch.
    case trouble(Troubles, PatchError, UInt64)
  }

  /// A value of a port, or an errand.
  private struct Queued: SerialEntry {
    let root: UInt64
    let number: UInt64
    var key = PortKey.none
    /// The place among what the subscribers of the port get; 0 if there were none.
    var place: UInt64 = 0
    var sample = Sample(.none)
    var errand: Errand?
  }

  /// The next thing to do.
  enum Step: Sendable {
    case arrival(Arrival)
    /// A value of an output that goes over its wires, each of which takes a look.
    case fanOut(number: UInt64, ContiguousArray<WiredInput>)
    /// A value of an output that goes to wires and subscribers.
    case delivery(PublinkCore<Sample>, place: UInt64)
    case errand(Errand)
    /// A value without a listener any more.
    case nothing
  }

  private var queue = SerialQueue<Queued>(cascadeLimit: 100_000)
  private var ports = PortTable()
  /// What the running delivery gives to the values it causes.
  private var cause: Cause?
  /// The cascade that was last refused something.
  private var refusedRoot: UInt64 = 0
  /// Whether the handler that has just run was refused something: its cascade is full.
  private(set) var hasRefusedHandler = false
  /// Whether a delivery was requested of the loop.
  var isPosted = false
  private(set) var isClosed = false
  /// How many builders want nothing delivered for the moment.
  var holds = 0

  /// Whether a delivery should begin.
  var isDue: Bool { !queue.isEmpty && !queue.isDraining && holds == 0 }

  /// How long a cascade may be; at least 1.
  var cascadeLimit: Int {
    get { queue.cascadeLimit }
    set { queue.cascadeLimit = newValue }
  }

  // MARK: Ports

  mutating func add(_ record: PortRecord) -> PortKey { ports.add(record) }

  /// Lets a port be found, which is not kept.
  mutating func attach(_ port: Port) {
    if let slot = ports.slot(of: port.key) { ports.records[slot].port = port }
  }

  /// The port of a key; nil once it was freed.
  func port(of key: PortKey) -> Port? {
    ports.slot(of: key).flatMap { ports.records[$0].port }
  }

  /// Empties the record of a port that was removed; the caller releases its content.
  mutating func clear(_ key: PortKey) -> PortRecord? {
    ports.slot(of: key).map { ports.records[$0].clear() }
  }

  /// Removes the record of a port that is being freed; the caller releases its content.
  mutating func remove(_ key: PortKey) -> PortRecord? { ports.remove(key) }

  /// The last value of a port.
  func last(of key: PortKey) -> Sample? {
    ports.slot(of: key).flatMap { ports.records[$0].last }
  }

  /// Makes a sample the last value of a port. Samples are plain: none has a deinit.
  mutating func remember(_ sample: Sample, on key: PortKey) {
    if let slot = ports.slot(of: key) { ports.records[slot].last = sample }
  }

  /// Counts the values of an input that were set but not delivered yet.
  mutating func countWaiting(_ change: Int, on key: PortKey) {
    if let slot = ports.slot(of: key) { ports.records[slot].waitingCount += change }
  }

  /// Counts the subscribers of a port anew: one has come or gone.
  mutating func countSubscribers(of key: PortKey) {
    guard let slot = ports.slot(of: key), let core = ports.records[slot].core else { return }
    let wires = ports.records[slot].wires.count { $0.subscription.isOpen }
    ports.records[slot].isSubscribed = core.subscriberCount > wires
  }

  // MARK: Placing

  /// What came of placing a value.
  enum Placing: Sendable {
    /// It waits; if the caller `isInside` a delivery, that takes it along.
    case placed(isInside: Bool)
    case unheard
    /// The port was removed, or the loop is closed.
    case closed
    /// Nothing of the loop caused it: it needs the present time.
    case untimed
    case refused(isFirst: Bool)
  }

  /// Makes a sample the last one of a port and queues it, if the port has a listener.
  mutating func place(_ sample: inout Sample, on key: PortKey) -> Placing {
    guard !isClosed, let slot = ports.slot(of: key) else { return .closed }
    let audience = ports.records[slot].audience()
    if case .removed = audience { return .closed }
    let isInside = queue.isInside
    if sample.isUnstamped {
      guard isInside, let cause else { return .untimed }
      sample.follow(cause)
    }
    ports.records[slot].number(&sample)
    if case .none = audience {
      ports.records[slot].last = sample
      return .unheard
    }
    guard let root = queue.admit(isInside: isInside) else { return refusal(isInside) }
    ports.records[slot].last = sample
    var place: UInt64?
    if case .subscribers = audience { place = ports.records[slot].core?.takePlace() }
    queue.append(
      Queued(root: root, number: queue.takeNumber(), key: key, place: place ?? 0, sample: sample))
    return .placed(isInside: isInside)
  }

  private mutating func refusal(_ isInside: Bool) -> Placing {
    if isInside { hasRefusedHandler = true }
    let root = queue.currentRoot
    defer { refusedRoot = root }
    return .refused(isFirst: refusedRoot != root)
  }

  private mutating func append(_ errand: Errand, root: UInt64) {
    queue.append(Queued(root: root, number: queue.takeNumber(), errand: errand))
  }

  /// Queues an errand, unless its cascade is full or the loop closed; then it is for the caller to
  /// release. What does not count is no part of a cascade's length.
  mutating func append(_ errand: Errand, counts: Bool = true) -> Errand? {
    let isInside = queue.isInside
    if isClosed || (counts && queue.admit(isInside: isInside) == nil) { return errand }
    append(errand, root: queue.root(isInside: isInside))
    return nil
  }

  /// Has `take` add a subscriber with its initial value, and queues the delivery of that. A full
  /// cascade has no room for an initial value.
  mutating func placeInitialValue(of port: Port, _ take: (Sample?, inout Self) -> UInt64?) {
    let isInside = queue.isInside
    let hasRoom = !isClosed && queue.hasRoom(isInside: isInside)
    let place = take(hasRoom ? last(of: port.key)?.asInitialValue : nil, &self)
    countSubscribers(of: port.key)
    guard let place, let root = queue.admit(isInside: isInside) else { return }
    append(.initialValues(port, place), root: root)
  }

  /// Wires an output to an input; answers the place of the initial value.
  mutating func wire(
    _ output: Port, to input: Port, as wire: UInt64, _ subscription: Subscription<Sample>,
    initialValue: Sample?
  ) -> UInt64? {
    guard let slot = ports.slot(of: output.key) else { return nil }
    let first = queue.lastNumber &+ 1
    ports.records[slot].wires.append(
      WiredInput(wire: wire, input: input.key, first: first, subscription: subscription))
    return output.core.join(subscription, initialValue: initialValue)
  }

  /// Cuts a wire; the caller releases it.
  mutating func unwire(_ output: PortKey, _ wire: UInt64) -> ContiguousArray<WiredInput> {
    guard let slot = ports.slot(of: output) else { return [] }
    let former = ports.records[slot].wires
    ports.records[slot].wires = former.filter { $0.wire != wire }
    return former
  }

  // MARK: Delivering

  /// Makes the calling thread the one that delivers, unless another does or there is nothing to do.
  mutating func start() -> Bool {
    isPosted = false
    if queue.isDraining || queue.isEmpty { return false }
    queue.start()
    return true
  }

  /// The next thing to do, with `sample` if it is about a value; nil if there is none, and the
  /// delivery has ended with that.
  mutating func next(_ sample: inout Sample) -> Step? {
    guard holds == 0, var next = queue.next() else {
      queue.stop()
      cause = nil
      return nil
    }
    if let errand = next.errand {
      cause = nil
      return .errand(errand)
    }
    // What was delivered before goes with the entry.
    swap(&sample, &next.sample)
    return step(sample, of: next.key, next.number, next.place)
  }

  /// What a value of a port leads to.
  private mutating func step(
    _ sample: Sample, of key: PortKey, _ number: UInt64, _ place: UInt64
  ) -> Step {
    guard let slot = ports.slot(of: key) else { return .nothing }
    if ports.records[slot].isInput {
      ports.records[slot].waitingCount -= 1
      return arrival(sample, at: key, slot, place).map { .arrival($0) } ?? .nothing
    }
    if place != 0 {
      begin(sample)
      return ports.records[slot].core.map { .delivery($0, place: place) } ?? .nothing
    }
    switch ports.records[slot].way(of: number) {
    case .nowhere: return .nothing
    case .fork: return .fanOut(number: number, ports.records[slot].wires)
    case .input(let input): return arrive(sample, at: input).map { .arrival($0) } ?? .nothing
    }
  }

  private mutating func begin(_ sample: Sample) {
    cause = Cause(sample)
    hasRefusedHandler = false
  }

  private mutating func arrival(
    _ sample: Sample, at key: PortKey, _ slot: Int, _ place: UInt64
  ) -> Arrival? {
    guard let receiver = ports.records[slot].receiver else { return nil }
    begin(sample)
    return Arrival(
      input: key, receiver: receiver, place: place,
      core: place == 0 ? nil : ports.records[slot].core)
  }

  /// Takes in a value that comes by a wire, on the loop; nil for a removed input.
  mutating func arrive(_ sample: Sample, at key: PortKey) -> Arrival? {
    guard let slot = ports.slot(of: key), let receiver = ports.records[slot].receiver
    else { return nil }
    guard ports.records[slot].hint.takes(sample.value) else {
      return Arrival(input: key, receiver: receiver, fits: false)
    }
    ports.records[slot].arrive(sample)
    var core: PublinkCore<Sample>?
    if ports.records[slot].isSubscribed { core = ports.records[slot].core }
    begin(sample)
    return Arrival(input: key, receiver: receiver, place: core?.takePlace() ?? 0, core: core)
  }

  /// Drops all that waits and takes nothing more in; the caller releases what waited.
  mutating func close() -> any Sendable {
    isClosed = true
    return queue.takeAll()
  }
}

/// What is left to do for a value that has come to an input.
struct Arrival: Sendable {
  let input: PortKey
  /// Who receives it.
  let receiver: any InputReceiver
  /// Its place among what the subscribers of the input get; 0 if there are none.
  var place: UInt64 = 0
  /// The subscribers, where there are any.
  var core: PublinkCore<Sample>?
  /// Whether it is of a type that the input takes.
  var fits = true
}
