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
    var parcel = Parcel()
    /// Whether it is an errand.
    var isErrand = false
  }

  private var queue = SerialQueue<Queued>(cascadeLimit: 100_000)
  /// The errands, and what is kept beside the values, in the same order.
  private var errands = FIFO<Errand>()
  private var kept = FIFO<Kept>()
  private var ports = PortTable()
  /// What the running delivery gives to the values it causes.
  private var cause: Parcel?
  private var reason: Kept?
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
    ports.slot(of: key).flatMap { ports.records[$0].lastSample }
  }

  /// Makes a sample the last value of a port. Samples are plain: none has a deinit.
  mutating func remember(_ sample: Sample, on key: PortKey) {
    if let slot = ports.slot(of: key) { ports.records[slot].remember(sample) }
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
  mutating func place(
    _ parcel: inout Parcel, _ kept: Kept?, on key: PortKey
  ) -> Placing {
    var kept = kept
    guard !isClosed, let slot = ports.slot(of: key) else { return .closed }
    let audience = ports.records[slot].audience()
    if case .removed = audience { return .closed }
    let isInside = queue.isInside
    if parcel.isUnstamped {
      guard isInside, let cause else { return .untimed }
      parcel.follow(cause, &kept, reason)
    }
    ports.records[slot].number(&parcel)
    if case .none = audience {
      ports.records[slot].remember(parcel, kept)
      return .unheard
    }
    guard let root = queue.admit(isInside: isInside) else { return refusal(isInside) }
    ports.records[slot].remember(parcel, kept)
    var place: UInt64?
    if case .subscribers = audience { place = ports.records[slot].core?.takePlace() }
    queue.append(
      Queued(root: root, number: queue.takeNumber(), key: key, place: place ?? 0, parcel: parcel))
    if let kept { self.kept.append(kept) }
    return .placed(isInside: isInside)
  }

  private mutating func refusal(_ isInside: Bool) -> Placing {
    if isInside { hasRefusedHandler = true }
    let root = queue.currentRoot
    defer { refusedRoot = root }
    return .refused(isFirst: refusedRoot != root)
  }

  private mutating func append(_ errand: Errand, root: UInt64) {
    queue.append(Queued(root: root, number: queue.takeNumber(), isErrand: true))
    errands.append(errand)
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

  /// Fills in the next thing to do. With the end of what waits the delivery has ended, too.
  mutating func next(_ hop: inout Hop) -> Hop.Step {
    putBack(&hop)
    guard holds == 0, let next = queue.next() else {
      queue.stop()
      cause = nil
      return .end
    }
    if next.isErrand {
      cause = nil
      hop.errand = errands.popFirst()
      return .errand
    }
    hop.parcel = next.parcel
    if next.parcel.hasKept { hop.kept = kept.popFirst() }
    guard let slot = ports.slot(of: next.key) else { return .nothing }
    if ports.records[slot].isInput {
      ports.records[slot].waitingCount -= 1
      if ports.records[slot].isRemoved { return .nothing }
      begin(hop)
      (hop.input, hop.place) = (next.key, next.place)
      swap(&hop.receiver, &ports.records[slot].receiver)
      if next.place != 0 { hop.core = ports.records[slot].core }
      return .arrival
    }
    if next.place != 0 {
      begin(hop)
      (hop.core, hop.place) = (ports.records[slot].core, next.place)
      return .delivery
    }
    switch ports.records[slot].way(of: next.number) {
    case .nowhere: return .nothing
    case .input(let input): return arrive(at: input, &hop)
    case .fork:
      (hop.number, hop.wires) = (next.number, ports.records[slot].wires)
      return .fanOut
    }
  }

  /// Gives an input its receiver back, which it lends for the time of a call; that of one that was
  /// removed meanwhile is spent.
  mutating func putBack(_ hop: inout Hop) {
    guard hop.receiver != nil else { return }
    if let slot = ports.slot(of: hop.input), !ports.records[slot].isRemoved {
      swap(&hop.receiver, &ports.records[slot].receiver)
    } else {
      swap(&hop.receiver, &hop.spent)
    }
  }

  private mutating func begin(_ hop: Hop) {
    cause = hop.parcel
    if reason != nil { reason = nil }
    if hop.parcel.hasKept, !hop.parcel.status.hasPayload { reason = hop.kept }
    hasRefusedHandler = false
  }

  /// Takes in a value that comes by a wire, on the loop.
  mutating func arrive(at key: PortKey, _ hop: inout Hop) -> Hop.Step {
    guard let slot = ports.slot(of: key), !ports.records[slot].isRemoved else { return .nothing }
    hop.input = key
    guard hop.parcel.fits(ports.records[slot].hint, hop.kept) else { return .misfit }
    ports.records[slot].arrive(hop.parcel, hop.kept)
    hop.place = 0
    swap(&hop.receiver, &ports.records[slot].receiver)
    if ports.records[slot].isSubscribed {
      hop.core = ports.records[slot].core
      hop.place = hop.core?.takePlace() ?? 0
    }
    begin(hop)
    return .arrival
  }

  /// Drops all that waits and takes nothing more in; the caller releases what waited.
  mutating func close() -> any Sendable {
    isClosed = true
    _ = queue.takeAll()
    defer { (errands, kept) = (FIFO(), FIFO()) }
    return (errands, kept)
  }
}
