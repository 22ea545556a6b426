import Gathering
import Ground
import Streams

/// Which port it is, among all that its loop ever had.
struct PortKey: Equatable, Sendable {
  /// The place of its record.
  fileprivate(set) var slot: Int32
  /// How many ports had the place before.
  fileprivate(set) var generation: UInt32

  /// No port's.
  static var none: PortKey { PortKey(slot: 0, generation: .max) }
}

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
  private var last = Parcel()
  private var lastKept: Kept?
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
  mutating func number(_ parcel: inout Parcel) {
    sequence &+= 1
    parcel.sequence = sequence
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

  /// Takes in a value that comes by a wire, unless one that was set meanwhile is newer.
  mutating func arrive(_ parcel: Parcel, _ kept: Kept?) {
    if waitingCount == 0 { remember(parcel, kept) }
  }

  /// The last value; nil while there is none.
  var lastSample: Sample? { hasLast ? last.sample(lastKept) : nil }

  /// Makes a value the last one. What is kept is plain: it has no deinit that calls anything.
  @inline(__always)
  mutating func remember(_ parcel: Parcel, _ kept: Kept?) {
    last = parcel
    if parcel.hasKept || lastKept != nil { lastKept = kept }
    hasLast = true
  }

  mutating func remember(_ sample: Sample) {
    let parcel = Parcel.carrying(sample)
    remember(parcel, .beside(parcel, sample.value, sample.absence))
  }

  /// Empties it, since its port was removed; the caller releases the content.
  mutating func clear() -> PortRecord {
    let former = self
    (core, receiver, lastKept, wires) = (nil, nil, nil, [])
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
    /// A value has no listener any more.
    case nothing
    /// Nothing waits.
    case end
  }

  var parcel = Parcel()
  var kept: Kept?
  /// The input it has come to, and who receives it there.
  var input = PortKey.none
  var receiver: (any InputReceiver)?
  /// Who received for an input that was removed meanwhile.
  var spent: (any InputReceiver)?
  /// The number of the value.
  var number: UInt64 = 0
  var wires: ContiguousArray<WiredInput> = []
  /// The subscribers of the port, and the place of the value among what they get.
  var core: PublinkCore<Sample>?
  var place: UInt64 = 0
  var errand: PatchQueue.Errand?

  /// Releases what it holds, outside every lock; the receiver goes back.
  mutating func clear() {
    if kept != nil { kept = nil }
    if core != nil { core = nil }
  }
}

/// What receives the values of an input, on the loop.
///
/// It is released once, after the last call (patches L40).
protocol InputReceiver: AnyObject, Sendable {
  /// Receives one value; throws if it fails.
  func receive(_ sample: Sample) throws
}

/// A function as a receiver. It is given its patch, which it must not own.
final class HandlerReceiver: InputReceiver {
  private let call: Patch.Handler
  private weak let patch: Patch?

  init(_ call: @escaping Patch.Handler, in patch: Patch) {
    self.call = call
    self.patch = patch
  }

  func receive(_ sample: Sample) throws {
    if let patch { try call(patch, sample) }
  }
}

/// The error a handler throws to give its failure a code of its own.
public struct HandlerFailure: Error, Sendable {
  /// The code, below 0.
  public var code: Int32
  /// The failure, as one clause.
  public var message: String
  /// Whether it only passes on that the cascade is full, which was announced where that happened.
  public var isRefusal: Bool

  /// A failure.
  public init(code: Int32, message: String, isRefusal: Bool = false) {
    self.code = code
    self.message = message
    self.isRefusal = isRefusal
  }
}
