public import Ground
public import Values

/// One result of reading the backend: an outcome for every declared property, in catalogue order.
///
/// A reader fills in the properties it read; the rest keeps its previous outcome. What asks for a
/// property is a part of its caller, so that the store is handed on and not a copy of all.
public struct Reading: Sendable {
  /// Numbers that are no property of their own and that spans compare between two readings
  /// (the raw times of `/proc/stat`, say).
  public var counters: [Int64] = []
  /// When the reading was taken: the middle of the clock readings around it.
  public var instant: Instant
  /// Changes when counters start from another base, as an aggregate's do with its members.
  var lineage: UInt64 = 0
  /// Which of its reader's readings it is, counted from 1; 0 where no reader counts.
  var number: UInt64 = 0
  /// Properties a script set, which no rule overwrites.
  var scripted: Set<Int> = []
  /// One finished sample a property, with times and sequences of its own, where another machine
  /// has made the reading; else empty, and the outcomes count.
  package var finished: [Sample] = []
  /// Whether a rule writes: what a script set stays.
  private var isDeriving = false
  /// What the properties are. A plain number, as most are, costs no more than the number.
  @usableFromInline var store: ReadingStore

  /// Makes a reading in which no property has been read.
  public init(properties count: Int, at instant: Instant = Instant(boot: 0, realtime: 0)) {
    store = ReadingStore(count: count)
    self.instant = instant
  }

  /// How many properties there are.
  public var count: Int { store.count }

  /// The indices of the properties, in the order of the kind's table.
  public var indices: Range<Int> { 0..<store.count }

  /// One outcome a property, in the order of the kind's table: a new array at each call.
  public var outcomes: [Outcome] { indices.map { self[$0] } }

  /// The outcome of the property at an index of the table.
  public subscript(_ index: Int) -> Outcome {
    @inlinable @inline(__always)
    get { store.outcome(index) }
    set {
      if isDeriving && scripted.contains(index) { return }
      if let number = PlainNumber(newValue) {
        put(number, at: index)
      } else {
        store.set(index, to: newValue, keptAs: nil)
      }
    }
  }

  /// Sets a property to a whole number that was just read and is good.
  public mutating func set(_ index: Int, to number: Int64) { put(PlainNumber(number), at: index) }

  /// Sets properties to whole numbers that were just read and are good, one each, except where a
  /// number is below zero.
  public mutating func set(_ indices: [Int], toSizes numbers: [Int64]) {
    if !isDeriving { return store.set(indices, toSizes: numbers) }
    for (index, number) in zip(indices, numbers) where number >= 0 { set(index, to: number) }
  }

  /// Sets a property to a number that was just read and is good.
  public mutating func set(_ index: Int, to number: Double) { put(PlainNumber(number), at: index) }

  /// Sets a property to a flag that was just read and is good.
  public mutating func set(_ index: Int, to flag: Bool) { put(PlainNumber(flag), at: index) }

  /// Sets a property to a vector that was just read and is good.
  public mutating func set(_ index: Int, to vector: Vector) {
    if isDeriving && scripted.contains(index) { return }
    store.set(index, to: vector)
  }

  /// Sets a property to an outcome that its reader keeps; nothing is done if it has it.
  public mutating func set(_ index: Int, to outcome: KeptOutcome) {
    if store.has(outcome, at: index) || isDeriving && scripted.contains(index) { return }
    if let number = PlainNumber(outcome.outcome) { return put(number, at: index) }
    store.set(index, to: outcome.outcome, keptAs: outcome)
  }

  /// Sets a property to an outcome that seldom changes: nothing is done while an absence has the
  /// same reason, and for a text that is the same.
  public mutating func set(_ index: Int, to outcome: borrowing Outcome) {
    if store.numbers[index].isNone, outcome.isRepeated(by: store.others[index]) { return }
    self[index] = copy outcome
  }

  /// Sets a property to what it is in the reading at a place of a list.
  public mutating func set(_ index: Int, asIn readings: [Reading], at place: Int) {
    let number = readings.plain(at: index, of: place)
    if !number.isNone { return put(number, at: index) }
    if let outcome = readings.kept(at: index, of: place) { return set(index, to: outcome) }
    _ = readings.lendOther(at: index, of: place) { set(index, to: $0.pointee) }
  }

  /// Says that a property is missing for the reason for which it is in the reading at a place of a
  /// list.
  public mutating func setMissing(_ index: Int, asIn readings: [Reading], at place: Int) {
    if let outcome = readings.kept(at: index, of: place), outcome.isPlainAbsence {
      return set(index, to: outcome)
    }
    let (status, absence) = (readings[place].status(at: index), readings[place].absence(at: index))
    set(index, to: Outcome(status: status == .stale ? .noData : status, absence: absence))
  }

  @inline(__always)
  private mutating func put(_ number: PlainNumber, at index: Int) {
    if isDeriving && scripted.contains(index) { return }
    store.set(index, to: number)
  }

  /// How the property at an index came out.
  @inlinable @inline(__always)
  public func status(at index: Int) -> ValueStatus {
    store.status(index)
  }

  /// Why the property at an index has no payload; nil if it has one.
  @inlinable @inline(__always)
  public func absence(at index: Int) -> Absence? {
    store.absence(index)
  }

  /// Whether the property at an index is good, and nothing else is said about it.
  @inlinable @inline(__always)
  public func isPlain(at index: Int) -> Bool {
    store.isPlain(index)
  }

  /// The whole number of the property at an index, if it is good.
  @inlinable @inline(__always)
  public func whole(at index: Int) -> Int64? {
    store.whole(index)
  }

  /// The number of the property at an index as a double, if it is good.
  @inlinable @inline(__always)
  public func number(at index: Int) -> Double? {
    store.number(index)
  }

  /// The flag of the property at an index, if it is good.
  @inlinable @inline(__always)
  public func flag(at index: Int) -> Bool? {
    store.flag(index)
  }

  /// The vector of the property at an index, if it is good.
  @inlinable @inline(__always)
  public func vector(at index: Int) -> Vector? {
    store.vector(index)
  }

  /// Whether a property has an outcome that its reader keeps.
  @inlinable @inline(__always)
  public func has(_ outcome: KeptOutcome, at index: Int) -> Bool {
    store.has(outcome, at: index)
  }

  /// Whether a property is this number, and nothing else is said about it.
  @inlinable @inline(__always)
  public func has(_ number: Double, at index: Int) -> Bool {
    store.has(number, at: index)
  }

  /// Copies the counters into a list, which is written in place if it is as long.
  func copyCounters(to list: inout [Int64]) {
    guard list.count == counters.count else { return list = counters }
    for index in list.indices { list[index] = counters[index] }
  }

  /// Copies the plain numbers at some indices, and their outcomes, or none where all are plain
  /// numbers.
  func copyContents(
    at places: [Int], to numbers: inout [PlainNumber], and others: inout [Outcome]
  ) {
    var areAllPlain = true
    for (place, index) in places.enumerated() {
      numbers[place] = store.numbers[index]
      areAllPlain = areAllPlain && !numbers[place].isNone
    }
    if areAllPlain {
      if !others.isEmpty { others = [] }
    } else {
      others = places.map { self[$0] }
    }
  }

  /// Lends the plain numbers, and the outcomes of the properties that are none, by index.
  @inline(__always)
  func withContents(
    _ body: (UnsafeBufferPointer<PlainNumber>, UnsafePointer<Outcome>) -> Void
  ) {
    store.numbers.withUnsafeBufferPointer { numbers in
      store.others.withUnsafeBufferPointer { others in
        if let first = others.baseAddress { body(numbers, first) }
      }
    }
  }

  /// Replaces hardware addresses in the outcome of a property by digests (sources P4).
  mutating func withhold(_ index: Int, by identity: MachineIdentity) {
    if store.numbers[index].isNone { self[index] = self[index].withheld(by: identity) }
  }

  /// Lets a rule compute properties from others; those that a script set stay.
  mutating func derive(by rule: (inout Reading) -> Void) {
    isDeriving = !scripted.isEmpty
    rule(&self)
    isDeriving = false
  }

  /// Lets the rule of a kind compute properties from others; those that a script set stay.
  mutating func derive(by kind: any SourceKind) {
    isDeriving = !scripted.isEmpty
    kind.derive(&self)
    isDeriving = false
    if !scripted.isEmpty { kind.overrule(&self) }
  }
}

/// The last payload of a property exactly as the backend gave it (sources V3).
public struct RawValue: Equatable, Sendable {
  /// Text, bytes or counts as they came.
  public var bytes: [UInt8]
  /// The path, bus property or message field it came from.
  public var place: String

  /// A raw payload and its place.
  public init(_ bytes: some Sequence<UInt8>, place: String) {
    self.bytes = Array(bytes)
    self.place = place
  }
}

/// Reads one claimed instance. It holds the instance's descriptors and ends with them.
///
/// One reading runs at a time, on any thread.
public protocol InstanceReader: AnyObject {
  /// Whether a reading may take long: it is then taken on a thread of the instance's own, with a
  /// deadline (sources T7).
  var mayBlock: Bool { get }
  /// Whether the reader keeps the device occupied or listening while it exists: a single reading
  /// then releases it at once (sources L8).
  var holdsDevice: Bool { get }
  /// Reads the backend and fills in the outcomes. Never throws: each property's failure is its own
  /// outcome and does not affect others (sources V5).
  func read(_ request: ReadRequest, into reading: inout Reading)
  /// The last payload of a property as it came, or nil if none was read.
  func raw(ofPropertyAt index: Int) -> RawValue?
}

extension InstanceReader {
  /// A reading is a matter of microseconds.
  public var mayBlock: Bool { false }
  /// The device stays free for other processes.
  public var holdsDevice: Bool { false }
}
