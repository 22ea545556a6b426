import Gathering
import Ground
import Streams

/// What the delivery of values needs to know of a port.
struct PortRecord: Sendable {
  var generation: UInt32 = 0
  let isInput: Bool
  let hint: PortType
  /// For what is rare: what is referred to weakly is dear to hold, its subscribers likewise.
  weak var port: Port?
  /// Its subscribers; nil once the port was removed.
  private(set) var core: PublinkCore<Sample>?
  /// Whether the port was removed.
  private(set) var isRemoved = false
  /// The last value; empty while there is none.
  private var last = Sample.null
  private var hasLast = false
  /// The number of the last value.
  var sequence: UInt64 = 0
  /// Who receives an input's values; nil for an output, while it receives one, and once the port
  /// was removed.
  var receiver: (any InputReceiver)?
  /// The number of values set but not delivered yet: they are newer than values from the wire.
  var waitingCount = 0
  /// The inputs an output is wired to, in the order of the wires. A delivery goes through the list
  /// it has found.
  var wires: ContiguousArray<WiredInput> = [] {
    didSet {
      let only = wires.count == 1 ? wires.first : nil
      (onlyInput, onlyFirst) = (only?.input, only?.first ?? 0)
    }
  }
  /// The one input it is wired to, and the number of the first value that passes; nil if there is
  /// none or more. A wire that is cut has left the list before its subscription closes.
  private var onlyInput: PortKey?
  private var onlyFirst: UInt64 = 0
  /// Whether there are subscribers besides wires, so that values take places in the publink's order
  /// and are delivered in that.
  var isSubscribed = false

  init(
    isInput: Bool, hint: PortType, core: PublinkCore<Sample>, receiver: (any InputReceiver)?
  ) {
    self.isInput = isInput
    self.hint = hint
    self.core = core
    self.receiver = receiver
  }

  /// Who hears a value that is placed now.
  enum Audience {
    case none, wires, subscribers
    case removed
  }

  /// Changes nothing, but is asked of the record where it stands: others are asked of a copy.
  mutating func audience() -> Audience {
    if isRemoved { return .removed }
    if isSubscribed { return .subscribers }
    return isInput || !wires.isEmpty ? .wires : .none
  }

  /// Numbers a sample.
  @inline(__always)
  mutating func number(_ sample: inout Sample) {
    sequence &+= 1
    sample.sequence = sequence
  }

  /// Where a value of some number goes that passes over wires.
  enum Way {
    case nowhere, fork
    case input(PortKey)
  }

  /// Changes nothing, but is asked of the record where it stands: others are asked of a copy.
  mutating func way(of number: UInt64) -> Way {
    guard let onlyInput else { return wires.isEmpty ? .nowhere : .fork }
    return number >= onlyFirst ? .input(onlyInput) : .nowhere
  }

  /// The one input that gets a value of some number; nil if there is none or more.
  mutating func onlyInput(of number: UInt64) -> PortKey? {
    number >= onlyFirst ? onlyInput : nil
  }

  /// Takes in a value that comes by a wire, unless one that was set meanwhile is newer.
  @inline(__always)
  mutating func arrive(_ sample: borrowing Sample) {
    if waitingCount == 0 { remember(sample) }
  }

  /// The last value; nil while there is none.
  var lastSample: Sample? { hasLast ? last : nil }

  /// Makes a value the last one. A sample is plain: it has no deinit that calls anything.
  @inline(__always)
  mutating func remember(_ sample: borrowing Sample) {
    last = copy sample
    hasLast = true
  }

  /// Empties it, since its port was removed; the caller releases the content.
  mutating func clear() -> PortRecord {
    let former = self
    (core, receiver, last, wires) = (nil, nil, .null, [])
    (hasLast, isSubscribed) = (false, false)
    isRemoved = true
    return former
  }
}

/// An input as the output sees it that it is wired to.
struct WiredInput: Sendable {
  /// Which wire it is.
  let wire: UInt64
  let input: PortKey
  /// The number of the first value that passes over the wire.
  let first: UInt64
  /// The wire as a subscriber of the output; closed once the wire is cut.
  let subscription: Subscription<Sample>

  /// Whether a value of some number passes over the wire.
  func takes(_ number: UInt64) -> Bool { number >= first && subscription.isOpen }
}

/// The records of the ports of one loop.
struct PortTable: Sendable {
  /// By slot; a record is used where it stands, for a copy of one is dear.
  var records: ContiguousArray<PortRecord> = []
  private var free: [Int] = []

  /// Where the record of a port is; nil once the port was freed.
  func slot(of key: PortKey) -> Int? {
    let slot = Int(key.slot)
    return records[slot].generation == key.generation ? slot : nil
  }

  /// Adds the record of a port.
  mutating func add(_ record: PortRecord) -> PortKey {
    guard let slot = free.popLast() else {
      records.append(record)
      return PortKey(slot: Int32(truncatingIfNeeded: records.count - 1), generation: 0)
    }
    let generation = records[slot].generation
    records[slot] = record
    records[slot].generation = generation
    return PortKey(slot: Int32(truncatingIfNeeded: slot), generation: generation)
  }

  /// Removes the record of a port that is being freed; the caller releases its content.
  mutating func remove(_ key: PortKey) -> PortRecord? {
    guard let slot = slot(of: key) else { return nil }
    let former = records[slot].clear()
    records[slot].generation &+= 1
    free.append(slot)
    return former
  }

  // MARK: What is asked of a port

  /// Lets a port be found, which is not kept.
  mutating func attach(_ port: Port) {
    if let slot = slot(of: port.key) { records[slot].port = port }
  }

  /// The port of a key; nil once it was freed.
  func port(of key: PortKey) -> Port? { slot(of: key).flatMap { records[$0].port } }

  /// Empties the record of a port that was removed; the caller releases its content.
  mutating func clear(_ key: PortKey) -> PortRecord? {
    slot(of: key).map { records[$0].clear() }
  }

  /// The last value of a port.
  func last(of key: PortKey) -> Sample? { slot(of: key).flatMap { records[$0].lastSample } }

  /// Makes a sample the last value of a port. Samples are plain: none has a deinit.
  mutating func remember(_ sample: Sample, on key: PortKey) {
    if let slot = slot(of: key) { records[slot].remember(sample) }
  }

  /// Counts the values of an input that were set but not delivered yet.
  mutating func countWaiting(_ change: Int, on key: PortKey) {
    if let slot = slot(of: key) { records[slot].waitingCount += change }
  }

  /// Counts the subscribers of a port anew: one has come or gone.
  mutating func countSubscribers(of key: PortKey) {
    guard let slot = slot(of: key), let core = records[slot].core else { return }
    let wires = records[slot].wires.count { $0.subscription.isOpen }
    records[slot].isSubscribed = core.subscriberCount > wires
  }
}

/// The next thing to do on a loop, filled in where it stands: what moves is copied.
struct Hop {
  /// What there is to do.
  enum Step: Sendable {
    /// A value has come to an input: `receiver`, then the subscribers in `core`, if there are any.
    case arrival
    /// A value has come to an input that does not take it.
    case misfit
    /// A value of an output goes over its `wires`, each of which takes a look.
    case fanOut
    /// A value of an output goes to wires and subscribers, by its `core`.
    case delivery
    case errand
    /// A result of the kind that has received could not be placed: it is `unplaced`.
    case unplaced
    /// A value has no listener any more.
    case nothing
    /// Nothing waits.
    case end
  }

  /// The value, with its number.
  var sample = Sample.null
  /// The input it has come to, and who receives it there.
  var input = PortKey.none
  var receiver: (any InputReceiver)?
  /// Who received for an input that was removed meanwhile.
  var spent: (any InputReceiver)?
  /// What the receiver has published so far and is not placed yet.
  var results = KindResults()
  /// The result of it that could not be placed, and why.
  var unplaced: (KindResults.Result, KindResults.Refusal)?
  /// The number of the value.
  var number: UInt64 = 0
  var wires: ContiguousArray<WiredInput> = []
  /// The subscribers of the port, and the place of the value among what they get.
  var core: PublinkCore<Sample>?
  var place: UInt64 = 0
  var errand: PatchQueue.Errand?

  /// Releases what it holds, outside every lock; the receiver goes back.
  mutating func clear() {
    if core != nil { core = nil }
  }
}
