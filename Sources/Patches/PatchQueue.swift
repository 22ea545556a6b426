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
    var sample = Sample.null
    /// Whether it is an errand.
    var isErrand = false
  }

  private var queue = SerialQueue<Queued>(cascadeLimit: 100_000)
  /// The errands, in the same order.
  private var errands = FIFO<Errand>()
  var ports = PortTable()
  /// What the running delivery gives to the values it causes.
  private var cause = SampleCause()
  /// Whether there is a cause.
  private var isCaused = false
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
      guard isInside, isCaused else { return .untimed }
      sample.follow(cause)
    }
    ports.records[slot].number(&sample)
    if case .none = audience {
      ports.records[slot].remember(sample)
      return .unheard
    }
    guard let root = queue.admit(isInside: isInside) else { return refusal(isInside) }
    ports.records[slot].remember(sample)
    var place: UInt64?
    if case .subscribers = audience { place = ports.records[slot].core?.takePlace() }
    queue.append(
      Queued(root: root, number: queue.takeNumber(), key: key, place: place ?? 0, sample: sample))
    return .placed(isInside: isInside)
  }

  /// Places what the kind has published that is called at the moment; false if a result could not
  /// be placed, which is then in `hop.unplaced`.
  mutating func placeResults(of hop: inout Hop) -> Bool {
    while var result = hop.results.popFirst() {
      switch place(&result.sample, on: result.key) {
      case .placed, .unheard, .untimed, .refused(isFirst: false): continue
      case .refused(isFirst: true): hop.unplaced = (result, .full)
      case .closed: hop.unplaced = (result, .closed)
      }
      return false
    }
    return true
  }

  /// Hands the only result on to the one input its output is wired to, if nothing waits before it:
  /// as it would be placed and taken out again.
  private mutating func passOn(_ hop: inout Hop) -> PortKey? {
    guard hop.results.count == 1, queue.isEmpty, holds == 0, !isClosed,
      let slot = ports.slot(of: hop.results.first.key), !ports.records[slot].isSubscribed,
      let input = ports.records[slot].onlyInput(of: queue.lastNumber &+ 1),
      queue.admit(isInside: true) != nil
    else { return nil }
    _ = queue.takeNumber()
    hop.results.take(into: &hop.sample)
    if hop.sample.isUnstamped { hop.sample.follow(cause) }
    ports.records[slot].number(&hop.sample)
    ports.records[slot].remember(hop.sample)
    return input
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
    let place = take(hasRoom ? ports.last(of: port.key)?.asInitialValue : nil, &self)
    ports.countSubscribers(of: port.key)
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
    if hop.results.count > 0 {
      if let input = passOn(&hop) {
        putBack(&hop)
        return arrive(at: input, &hop)
      }
      guard placeResults(of: &hop) else { return .unplaced }
    }
    putBack(&hop)
    guard holds == 0, let next = queue.next() else {
      queue.stop()
      isCaused = false
      return .end
    }
    if next.isErrand {
      isCaused = false
      hop.errand = errands.popFirst()
      return .errand
    }
    return turn(to: next, &hop)
  }

  /// Fills in what becomes of a value that was queued.
  @inline(__always)
  private mutating func turn(to next: Queued, _ hop: inout Hop) -> Hop.Step {
    hop.sample = next.sample
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

  @inline(__always)
  private mutating func begin(_ hop: borrowing Hop) {
    cause.become(thatOf: hop.sample)
    isCaused = true
    hasRefusedHandler = false
  }

  /// Takes in a value that comes by a wire, on the loop.
  mutating func arrive(at key: PortKey, _ hop: inout Hop) -> Hop.Step {
    guard let slot = ports.slot(of: key), !ports.records[slot].isRemoved else { return .nothing }
    hop.input = key
    guard ports.records[slot].hint.takes(hop.sample) else { return .misfit }
    ports.records[slot].arrive(hop.sample)
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
    let waiting = queue.takeAll()
    defer { errands = FIFO() }
    return (errands, waiting)
  }
}
