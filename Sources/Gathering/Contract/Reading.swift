public import Ground
import Values

/// One result of reading the backend: an outcome for every declared property, in catalogue order.
///
/// A reader fills in the properties it read; the rest keeps its previous outcome.
public struct Reading: Sendable {
  /// One outcome a property, in the order of the kind's table.
  public var outcomes: [Outcome]
  /// Numbers that are no property of their own and that spans compare between two readings
  /// (the raw times of `/proc/stat`, say).
  public var counters: [Int64] = []
  /// When the reading was taken: the middle of the clock readings around it.
  public var instant: Instant
  /// Changes when counters start from another base, as an aggregate's do with its members.
  var lineage: UInt64 = 0
  /// Properties a script set, which no rule overwrites.
  var scripted: Set<Int> = []
  /// Whether a rule writes: what a script set stays.
  private var isDeriving = false

  /// Makes a reading in which no property has been read.
  public init(properties count: Int, at instant: Instant = Instant(boot: 0, realtime: 0)) {
    outcomes = [Outcome](repeating: .notRead, count: count)
    self.instant = instant
  }

  /// The outcome of the property at an index of the table.
  public subscript(_ index: Int) -> Outcome {
    get { outcomes[index] }
    set { if !isDeriving || !scripted.contains(index) { outcomes[index] = newValue } }
  }

  /// Sets a property to a whole number that was just read and is good.
  public mutating func set(_ index: Int, to number: Int64) {
    if isDeriving && scripted.contains(index) { return }
    outcomes[index].become(.int(number))
  }

  /// Sets a property to a number that was just read and is good.
  public mutating func set(_ index: Int, to number: Double) {
    if isDeriving && scripted.contains(index) { return }
    outcomes[index].become(.double(number))
  }

  /// Sets a property to a flag that was just read and is good.
  public mutating func set(_ index: Int, to flag: Bool) {
    if isDeriving && scripted.contains(index) { return }
    outcomes[index].become(.bool(flag))
  }

  /// Sets a property to an outcome that seldom changes: nothing is done while an absence has the
  /// same reason, and for a text that is the same.
  public mutating func set(_ index: Int, to outcome: borrowing Outcome) {
    if let reason = outcome.absence, outcomes[index].absence === reason,
      outcomes[index].status == outcome.status, outcome.status != .stale,
      outcome.stamp == nil, outcomes[index].stamp == nil
    {
      return
    }
    if outcome.isText(as: outcomes[index]) { return }
    self[index] = copy outcome
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
  }
}

/// The request to a reader.
public struct ReadRequest: Sendable {
  /// Which properties are to be read.
  public enum Scope: Sendable {
    /// All, static ones included: at claim and for `updateValues()`.
    case everything
    /// The properties that change: at a tick or an event.
    case changing
  }

  /// Which properties are to be read.
  public var scope: Scope
  /// The personal categories that may be read; no others are requested of the backend (P1).
  public var allow: Allowance
  /// Whether an aggregate reads one of its members: values it reads itself for all may be left out.
  public var isForAggregate = false
  /// Whether the reader's stream is running or about to be opened: values it delivers are left
  /// `notRead` if reading them takes long.
  public var isStreaming = false
  /// Whether a session updates: only then are settings written that reading needs (P5).
  public var isUpdating = false
  /// The shortest interval granted to a session that updates, in nanoseconds; nil if none does.
  public var interval: Int64?
  /// The time of the event that caused this reading (boot ns); nil without one, or if only the
  /// reading's own time is known.
  public var eventTime: Int64?

  /// A request of a scope.
  public init(scope: Scope, allow: Allowance) {
    self.scope = scope
    self.allow = allow
  }

  /// Whether a property is to be read.
  public func wants(_ property: Property) -> Bool {
    wants(property.mode, property.category)
  }

  /// Whether a property of this mode and category is to be read.
  func wants(_ mode: ReportingMode, _ category: PrivacyCategory?) -> Bool {
    (scope == .everything || mode != .static) && allow.permits(category)
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
