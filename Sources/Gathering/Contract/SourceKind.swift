public import Ground
public import Machine
public import Values

/// A stateless description of one kind of source: its name, its properties, how its instances are
/// discovered and how one is read.
///
/// A folder or a file in `SourceKinds/` and one line in its catalogue add a kind; every language,
/// command and exporter then supports it.
public protocol SourceKind: Sendable {
  /// The word in identifiers: `battery`.
  var kind: String { get }
  /// The name for people: `Battery`.
  var name: String { get }
  /// What it is about, in words.
  var meaning: KindMeaning { get }
  /// The property table, in delivery order.
  var properties: [Property] { get }
  /// What a property of the table means, in words.
  func meaning(ofPropertyAt index: Int) -> Meaning
  /// Factory default and minimum on live machines.
  var intervals: Intervals { get }
  /// The personal category of the whole kind, if it has one (sources P2).
  var category: PrivacyCategory? { get }
  /// The categories that permit actions of its readers besides showing values, such as looking for
  /// devices.
  var permittedActions: [PrivacyCategory] { get }
  /// Change notices about the kind: each notice rescans the instances and, for event-driven kinds,
  /// refreshes those updating.
  var topics: [ChangeTopic] { get }
  /// Quantities over the time between two updates of one session (sources I8).
  var spans: [SpanRule] { get }
  /// Whether the kind has an aggregate, a computed instance for all others.
  var hasAggregate: Bool { get }

  /// The instances a machine has, aggregate first, then natural order; without side effects.
  func discover(on machine: Machine) -> Discovery
  /// Whether an instance found by `discover` is still there as it was, where telling so costs less
  /// than to discover all again; false where it may not be.
  func isStillThere(_ instance: Instance, on machine: Machine) -> Bool
  /// Asks a daemon for what `discover` is to tell, over a connection of ours; without waiting. The
  /// answer is kept up to date until the question is cancelled. Nil where there is none to ask.
  func ask(_ machine: Machine) -> (any ListQuestion)?
  /// The host that the instances live on, where that is another machine (sources N9).
  func host(on machine: Machine) -> String?
  /// Claims an instance found by `discover` for reading.
  ///
  /// For the aggregate this is the reader of its own values (or nil): the library reads the members
  /// and passes them to `combine`. Throws the error of the start.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)?
  /// Sets a property of the flag `writable` on the device itself. The payload has the property's
  /// type and is in its range. Throws `unavailable`, `io`, `notSupported`.
  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, on machine: Machine
  ) throws(SourceError)
  /// Fills in the properties that are computed from others of the same reading.
  func derive(_ reading: inout Reading)
  /// Whether readings have to be adapted to a session of these facts.
  func adapts(to session: SessionFacts) -> Bool
  /// Computes the properties that depend on a session's settings or start: an altitude above a
  /// pressure that was set, steps since the start. `reading` is the session's own copy of the
  /// instance's reading.
  func adapt(_ reading: inout Reading, to session: SessionFacts)
  /// A property of a simulated instance that the kind's table has not, by its key and how many
  /// numbers it has; nil where all instances have the kind's own table.
  func property(ofInstance key: String, components: Int) -> Property?
  /// The kind's values on a built-in simulated device: lines of a script that take effect at
  /// opening, fixed functions of time.
  func simulated(on device: BuiltInDevice) -> String
  /// Whether the aggregate counts the member at a place, judged by its values.
  func counts(_ place: Int, of members: [Reading]) -> Bool
  /// Computes the aggregate's outcomes from its members' readings, by the rule in the catalogue.
  func combine(_ members: [Reading], into aggregate: inout Reading)
  /// Whether `overrule` has anything to say.
  var overrulesScripts: Bool { get }
  /// Sets in a reading of a simulated instance what holds whatever its script says: a card that
  /// sleeps has no values.
  func overrule(_ reading: inout Reading)
}

extension SourceKind {
  /// The name says it all.
  public var meaning: KindMeaning { KindMeaning("", from: "", instances: "") }
  /// The name says it all.
  public func meaning(ofPropertyAt index: Int) -> Meaning { Meaning("", from: "") }
  /// Not personal.
  public var category: PrivacyCategory? { nil }
  /// Reading is all it does.
  public var permittedActions: [PrivacyCategory] { [] }
  /// There are no change notices.
  public var topics: [ChangeTopic] { [] }
  /// Nothing is a quantity over time.
  public var spans: [SpanRule] { [] }
  /// There is no aggregate.
  public var hasAggregate: Bool { false }
  /// All are discovered again.
  public func isStillThere(_ instance: Instance, on machine: Machine) -> Bool { false }
  /// There is no daemon to be asked.
  public func ask(_ machine: Machine) -> (any ListQuestion)? { nil }
  /// They live on the machine itself.
  public func host(on machine: Machine) -> String? { nil }
  /// A reading is the same for every session.
  public func adapts(to session: SessionFacts) -> Bool { false }
  /// There is nothing to adapt.
  public func adapt(_ reading: inout Reading, to session: SessionFacts) {}
  /// Nothing is written.
  public func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, on machine: Machine
  ) throws(SourceError) {
    throw .notSupported("\(kind)/\(properties[index].key) cannot be set")
  }
  /// The built-in devices have none.
  public func simulated(on device: BuiltInDevice) -> String { "" }
  /// Instances have the kind's own table.
  public func property(ofInstance key: String, components: Int) -> Property? { nil }
  /// Every member counts.
  public func counts(_ place: Int, of members: [Reading]) -> Bool { true }
  /// Nothing is computed.
  public func derive(_ reading: inout Reading) {}
  /// There is no aggregate to compute.
  public func combine(_ members: [Reading], into aggregate: inout Reading) {}
  /// A script has its way.
  public var overrulesScripts: Bool { false }
  /// A script has its way.
  public func overrule(_ reading: inout Reading) {}

  /// The index of a property in the table, or nil.
  public func index(of key: String) -> Int? { properties.firstIndex { $0.key.isSpelt(key) } }
}

/// A question to a daemon about the instances of a kind.
public protocol ListQuestion: Cancellable {
  /// Waits until it is answered or cannot be, at most until a moment on CLOCK_MONOTONIC.
  func awaitAnswer(until moment: Int64)
}

/// The intervals of a kind in nanoseconds, and whether events update it between ticks.
public struct Intervals: Equatable, Sendable {
  /// Used by a start that names none.
  public var factoryDefault: Int64
  /// The smallest interval on a live machine.
  public var minimum: Int64
  /// Whether something happening is an update (sources L4, I7).
  public var isEventDriven: Bool
  /// How far apart event-driven updates are at least (sources I7).
  public var eventSpacing: Int64

  /// Intervals in seconds, as the catalogue prints them.
  public init(
    seconds factoryDefault: Double, minimum: Double, eventDriven: Bool = false,
    eventSpacing: Double = 0.1
  ) {
    self.factoryDefault = Int64((factoryDefault * 1e9).rounded())
    self.minimum = Int64((minimum * 1e9).rounded())
    isEventDriven = eventDriven
    self.eventSpacing = Int64((eventSpacing * 1e9).rounded())
  }
}

/// One concrete thing of a kind: this battery, that disk.
public struct Instance: Equatable, Sendable {
  /// The stable name, decoded (sources N6): `BAT0`, `/home`.
  public var name: String
  /// Whether it is the aggregate of all instances of its kind.
  public var isAggregate: Bool
  /// For people; may change.
  public var label: String
  /// Other names it opens under, such as the kernel's.
  public var aliases: [String]
  /// Whether it can start now.
  public var availability: Availability
  /// Its place on the machine, which readers open.
  public var path: String
  /// Further data for a reader or a member rule, by names of the kind.
  public var notes: [String: String]
  /// Whether the aggregate counts it.
  public var isMember: Bool
  /// The property table with this instance's ranges and resolutions; nil for the kind's own.
  public var properties: [Property]?
  /// How often it may be polled on a live machine, where that is less than its kind may.
  public var pollingFloor: PollingFloor?
  /// How long it may be left unread while it updates, in nanoseconds, whatever was asked: a counter
  /// of its may wrap meanwhile. Nil where nothing is lost.
  public var longestGap: Int64?
  /// Change notices about this instance: subscribed to while it updates; each notice is an
  /// event-driven update of it.
  public var topics: [ChangeTopic] = []

  /// An instance of a stable name.
  public init(
    _ name: String, isAggregate: Bool = false, label: String? = nil, aliases: [String] = [],
    availability: Availability, path: String = "", notes: [String: String] = [:],
    isMember: Bool = true, properties: [Property]? = nil
  ) {
    self.name = name
    self.isAggregate = isAggregate
    self.label = label ?? name
    self.aliases = aliases
    self.availability = availability
    self.path = path
    self.notes = notes
    self.isMember = isMember && !isAggregate
    self.properties = properties
  }

  /// The name of the aggregate.
  static let aggregateName = "aggregate"

  /// The aggregate of a kind.
  public static func aggregate(_ availability: Availability, label: String) -> Instance {
    Instance(aggregateName, isAggregate: true, label: label, availability: availability)
  }
}

/// The smallest interval at which an instance is polled, and the reason reported with the granted
/// interval.
public struct PollingFloor: Equatable, Sendable {
  /// In nanoseconds.
  public var interval: Int64
  /// One clause: "each read wakes the sensor hub".
  public var reason: String
  /// The setting, by the index of its property, that lifts it for a session while it is true; nil
  /// if none does.
  public var liftedBy: Int?

  /// A floor and its reason.
  public init(_ interval: Int64, _ reason: String, liftedBy setting: Int? = nil) {
    self.interval = interval
    self.reason = reason
    liftedBy = setting
  }
}

/// The instances of a kind, and the availability of its first backend if there are none.
public struct Discovery: Equatable, Sendable {
  /// In listing order: the aggregate first.
  public var instances: [Instance]
  /// Why there are none; meaningless otherwise (sources A5).
  public var absence: Availability
  /// The identity for digests of hardware addresses in names or places; nil if there are none.
  var identity: MachineIdentity?

  /// A list, with the reason to give should it be empty.
  public init(_ instances: [Instance], orElse absence: Availability) {
    self.instances = instances
    self.absence = absence
  }
}
