import Gathering
import Ground
import Streams

/// What the delivery of values needs to know of a port.
struct PortRecord: Sendable {
  /// The last value; nil while there is none.
  var last: Sample?
  /// The number of the last value.
  var sequence: UInt64 = 0
  /// Who receives an input's values; nil for an output, and once the port was removed.
  var receiver: (any InputReceiver)?
  /// The number of values set but not delivered yet: they are newer than values from the wire.
  var waitingCount = 0
  /// The inputs an output is wired to, in the order of the wires. A delivery goes through the list
  /// it has found.
  var wires: ContiguousArray<WiredInput> = []
  /// Whether there are subscribers besides wires, so that values take places in the publink's order
  /// and are delivered in that.
  var isSubscribed = false
}

/// An input as the output sees it that it is wired to.
struct WiredInput: Sendable {
  /// Which wire it is.
  let wire: UInt64
  let input: Port
  /// The number of the first value that passes over the wire.
  let first: UInt64
  /// The wire as a subscriber of the output; closed once the wire is cut.
  let subscription: Subscription<Sample>

  /// Whether a value of some number passes over the wire.
  func takes(_ number: UInt64) -> Bool { number >= first && subscription.isOpen }
}

/// The records of the ports of one loop, by their numbers.
struct PortTable: Sendable {
  private var records: ContiguousArray<PortRecord> = []
  private var free: [Int] = []

  subscript(port: Port) -> PortRecord {
    get { records[port.number] }
    _modify { yield &records[port.number] }
  }

  /// Adds a record, and answers its number.
  mutating func add(_ record: PortRecord) -> Int {
    if let number = free.popLast() {
      records[number] = record
      return number
    }
    records.append(record)
    return records.count - 1
  }

  /// Empties a record; the caller releases its content.
  mutating func clear(_ number: Int) -> PortRecord {
    defer { records[number] = PortRecord() }
    return records[number]
  }

  /// Removes a record; the caller releases its content.
  mutating func remove(_ number: Int) -> PortRecord {
    free.append(number)
    return clear(number)
  }
}
