import Gathering
import Ground
import Streams

/// The values that wait on a loop, in their one order (patches L31), and the records of its ports.
///
/// It only decides: the loop guards it with its lock and carries out what it answers.
struct PatchQueue: Sendable {
  /// One piece of work.
  enum Entry: Sendable {
    /// A value of a port, with its place among what the subscribers of the port get; 0 if there
    /// were none.
    case value(Port, Sample, place: UInt64)
    /// The initial values of a port up to a place.
    case initialValues(Port, UInt64)
    /// A value of a stream that is no port of this loop, for the wire of that number.
    case streamed(Port, Sample, wire: UInt64)
    /// Something a patch wants to do at a time of its own.
    case action(@Sendable () -> Void)
    /// An announcement of a patch.
    case trouble(Troubles, PatchError, UInt64)
  }

  private struct Queued: SerialEntry {
    let root: UInt64
    let number: UInt64
    let entry: Entry
  }

  /// The next thing to do.
  enum Step: Sendable {
    case arrival(Arrival)
    /// A value of an output that goes over its wires, which takes a look at each.
    case fanOut(Sample, number: UInt64, ContiguousArray<WiredInput>)
    case entry(Entry)
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

  /// Whether the caller is inside something this loop delivers.
  var isInside: Bool { queue.isInside }

  /// Whether a delivery should begin.
  var isDue: Bool { !queue.isEmpty && !queue.isDraining && holds == 0 }

  /// How long a cascade may be; at least 1.
  var cascadeLimit: Int {
    get { queue.cascadeLimit }
    set { queue.cascadeLimit = newValue }
  }

  // MARK: Ports

  subscript(port: Port) -> PortRecord {
    get { ports[port] }
    _modify { yield &ports[port] }
  }

  mutating func add(_ record: PortRecord) -> Int { ports.add(record) }

  /// Empties the record of a port that was removed; the caller releases its content.
  mutating func clear(_ port: Port) -> PortRecord { ports.clear(port.number) }

  /// Removes the record of a port that is being freed; the caller releases its content.
  mutating func remove(_ number: Int) -> PortRecord { ports.remove(number) }

  /// Counts the subscribers of a port anew: one has come or gone.
  mutating func countSubscribers(of port: Port) {
    let wires = ports[port].wires.count { $0.subscription.isOpen }
    ports[port].isSubscribed = port.core.subscriberCount > wires
  }

  // MARK: Placing

  /// What came of placing a value.
  enum Placing: Sendable {
    /// It waits; if the caller `isInside` a delivery, that takes it along.
    case placed(isInside: Bool)
    case unheard, closed
    /// Nothing of the loop caused it: it needs the present time.
    case untimed
    case refused(isFirst: Bool)
  }

  /// Makes a sample the last one of a port and queues it, if the port has a listener; `former` is
  /// then the last one before, for the caller to release.
  mutating func place(_ sample: inout Sample, on port: Port, former: inout Sample?) -> Placing {
    if isClosed { return .closed }
    let isInside = queue.isInside
    if sample.isUnstamped {
      guard isInside, let cause else { return .untimed }
      sample.follow(cause)
    }
    ports[port].sequence &+= 1
    sample.sequence = ports[port].sequence
    let isSubscribed = ports[port].isSubscribed
    let isHeard = isSubscribed || port.direction == .input || !ports[port].wires.isEmpty
    if isHeard {
      guard let root = queue.admit(isInside: isInside) else { return refusal(isInside) }
      let place = isSubscribed ? port.core.takePlace() : 0
      append(.value(port, sample, place: place), root: root)
    }
    former = ports[port].last
    ports[port].last = sample
    return isHeard ? .placed(isInside: isInside) : .unheard
  }

  private mutating func refusal(_ isInside: Bool) -> Placing {
    if isInside { hasRefusedHandler = true }
    let root = queue.currentRoot
    defer { refusedRoot = root }
    return .refused(isFirst: refusedRoot != root)
  }

  private mutating func append(_ entry: Entry, root: UInt64) {
    queue.append(Queued(root: root, number: queue.takeNumber(), entry: entry))
  }

  /// Queues something that is no value of a port, unless its cascade is full or the loop closed;
  /// then it is for the caller to release. What does not count is no part of a cascade's length.
  mutating func append(_ entry: Entry, counts: Bool = true) -> Entry? {
    let isInside = queue.isInside
    if isClosed || (counts && queue.admit(isInside: isInside) == nil) { return entry }
    append(entry, root: queue.root(isInside: isInside))
    return nil
  }

  /// Has `take` add a subscriber with its initial value, and queues the delivery of that. A full
  /// cascade has no room for an initial value.
  mutating func placeInitialValue(of port: Port, _ take: (Sample?, inout Self) -> UInt64?) {
    let isInside = queue.isInside
    let hasRoom = !isClosed && queue.hasRoom(isInside: isInside)
    let initialValue = hasRoom ? ports[port].last?.asInitialValue : nil
    let place = take(initialValue, &self)
    countSubscribers(of: port)
    guard let place, let root = queue.admit(isInside: isInside) else { return }
    append(.initialValues(port, place), root: root)
  }

  /// Wires an output to an input; answers the place of the initial value.
  mutating func wire(
    _ output: Port, to input: Port, as wire: UInt64, _ subscription: Subscription<Sample>,
    initialValue: Sample?
  ) -> UInt64? {
    let first = queue.lastNumber &+ 1
    ports[output].wires.append(
      WiredInput(wire: wire, input: input, first: first, subscription: subscription))
    return output.core.join(subscription, initialValue: initialValue)
  }

  /// Cuts a wire; the caller releases it.
  mutating func unwire(_ output: Port, _ wire: UInt64) -> ContiguousArray<WiredInput> {
    let former = ports[output].wires
    ports[output].wires = former.filter { $0.wire != wire }
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

  /// The next thing to do; nil if there is none, and the delivery has ended with that.
  mutating func next() -> Step? {
    guard holds == 0, let next = queue.next() else {
      queue.stop()
      cause = nil
      return nil
    }
    guard case .value(let port, let sample, let place) = next.entry else {
      cause = nil
      return .entry(next.entry)
    }
    begin(sample)
    if port.direction == .input {
      ports[port].waitingCount -= 1
      return .arrival(
        Arrival(port: port, sample: sample, receiver: ports[port].receiver, place: place))
    }
    if place != 0 { return .entry(next.entry) }
    let wires = ports[port].wires
    if wires.count == 1, let only = wires.first, let arrival = arrive(sample, next.number, only) {
      return .arrival(arrival)
    }
    return .fanOut(sample, number: next.number, wires)
  }

  private mutating func begin(_ sample: Sample) {
    cause = Cause(sample)
    hasRefusedHandler = false
  }

  /// Takes in the value of some number over a wire; nil if the wire does not carry it.
  mutating func arrive(_ sample: Sample, _ number: UInt64, _ wire: WiredInput) -> Arrival? {
    wire.takes(number) ? arrive(sample, at: wire.input) : nil
  }

  /// Takes in a value that comes by a wire, on the loop; nil for a removed input.
  mutating func arrive(_ sample: Sample, at input: Port) -> Arrival? {
    if input.isRemoved { return nil }
    guard input.hint.takes(sample.value) else {
      return Arrival(port: input, sample: sample, fits: false)
    }
    begin(sample)
    var former: Sample?
    // A value that was set meanwhile is newer.
    if ports[input].waitingCount == 0 {
      former = ports[input].last
      ports[input].last = sample
    }
    return Arrival(
      port: input, sample: sample, receiver: ports[input].receiver,
      place: ports[input].isSubscribed ? input.core.takePlace() : 0, former: former)
  }

  /// Drops all that waits and takes nothing more in; the caller releases what waited.
  mutating func close() -> any Sendable {
    isClosed = true
    return queue.takeAll()
  }
}

/// A value that has come to an input: what is left to do.
struct Arrival: Sendable {
  let port: Port
  let sample: Sample
  /// Who receives it.
  var receiver: (any InputReceiver)?
  /// Its place among what the subscribers of the input get; 0 if there are none.
  var place: UInt64 = 0
  /// The last value before, to be released.
  var former: Sample?
  /// Whether it is of a type that the input takes.
  var fits = true
}
