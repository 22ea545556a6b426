package import Ground
package import Machine
package import Values

/// Where a context's instances come from: a machine's kinds, a simulation, a recording.
package protocol InstanceProvider: Sendable {
  /// The instances of a kind at this moment; without side effects.
  func discover(_ kind: any SourceKind) -> Discovery
  /// The host that the instances of a kind live on, where that is another machine than the
  /// context's.
  func host(of kind: any SourceKind) -> String?
  /// The instances of a kind that are other than this or `discover` has told last, and the one of
  /// an id, if that is listed. Nil where the list itself may be another, or nothing is remembered.
  func changes(of kind: any SourceKind, around id: SourceIdentifier?) -> [Instance]?
  /// Whether an instance that `discover` has told is still there as it was; false where only the
  /// whole list tells.
  func isStillThere(_ instance: Instance, of kind: any SourceKind) -> Bool
  /// Finds out what properties the instance of an id has, before its list is looked at, where that
  /// takes a question to its machine: at most 2 s. Throws `notFound` for a machine that is none of
  /// the context's.
  func describe(_ id: SourceIdentifier) throws(SourceError)
  /// Claims one instance for reading; for an aggregate the reader of its own values, or nil.
  func claim(
    _ instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> sending (any InstanceReader)?
  /// Sets a property of an instance on the device itself.
  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, of kind: any SourceKind
  ) throws(SourceError)
  /// The smallest interval granted to an instance, and why.
  func floor(of instance: Instance, of kind: any SourceKind) -> (interval: Int64, reason: String)
  /// Begins to report changes of a kind, when its first source updates or is watched. `ticks`
  /// tells the moment of a tick that comes every second, if there is one: looking for changes in
  /// the same moments needs no wake-up of its own.
  func beginWatching(
    _ kind: any SourceKind, besides ticks: @escaping @Sendable () -> Int64?,
    changed: @escaping @Sendable (Change) -> Void
  ) -> [any Cancellable]
  /// Subscribes to notices about a single instance, with their time if the kernel gives it. Nil if
  /// there are none.
  func listen(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (_ bootTime: Int64?) -> Void
  ) -> (any Cancellable)?
  /// Begins to query asynchronous services for the data kinds will need, without waiting. What is
  /// held is not queried anew by each look at a kind, until all results are cancelled.
  func hold(_ kinds: [any SourceKind]) -> [any Cancellable]
  /// Queries asynchronous services for the data kinds will need, and waits for them, at most 2 s
  /// and never on the loop. The data stays current until all results are cancelled.
  func prepare(_ kinds: [any SourceKind]) -> [any Cancellable]
  /// Forgets remembered failures of a kind: its next discovery finds the present state (sources
  /// A4).
  func lookAnew(_ kind: any SourceKind)
  /// Whether change reports cost nothing, so that even idle sources get them.
  var tellsForFree: Bool { get }
  /// Whether the IIO devices are another machine's, which may be out of reach.
  var isRemote: Bool { get }
  /// Whether the last values of an instance that goes away are shown on, as stale.
  var keepsValuesOfAbsent: Bool { get }
  /// Whether instances never change: they are discovered once.
  var changesNever: Bool { get }
  /// The mechanisms and libraries, for the report.
  var mechanisms: [Mechanism] { get }
}

extension InstanceProvider {
  /// Devices are on this machine.
  package var isRemote: Bool { false }

  /// What is away has no values.
  package var keepsValuesOfAbsent: Bool { false }

  /// Instances live on the context's own machine.
  package func host(of kind: any SourceKind) -> String? { nil }

  /// Each look finds the whole list.
  package func changes(of kind: any SourceKind, around id: SourceIdentifier?) -> [Instance]? { nil }

  /// The whole list tells.
  package func isStillThere(_ instance: Instance, of kind: any SourceKind) -> Bool { false }

  /// Lists tell the properties of instances.
  package func describe(_ id: SourceIdentifier) throws(SourceError) {}

  /// A machine changes.
  package var changesNever: Bool { false }

  /// There is nothing to be queried.
  package func hold(_ kinds: [any SourceKind]) -> [any Cancellable] { [] }

  /// Nothing has to be waited for.
  package func prepare(_ kinds: [any SourceKind]) -> [any Cancellable] { [] }

  /// Nothing is remembered.
  package func lookAnew(_ kind: any SourceKind) {}

  /// There are no notices about single instances.
  package func listen(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (_ bootTime: Int64?) -> Void
  ) -> (any Cancellable)? {
    nil
  }
}

/// A change that a provider noticed.
package enum Change: Sendable {
  /// The list of a kind may be another now.
  case instances
  /// A notice of the kernel: the list may have changed, and event-driven sources are read.
  case notice
  /// One instance, by name, or any if nil, has something new to read; the list is as it was.
  case values(instance: String?)
}

/// A means of reaching the machine, with its version or the reason it cannot be used.
public struct Mechanism: Sendable, Equatable {
  /// `udev`, `procfs` …
  public var name: String
  /// The version found; empty if it cannot be used.
  public var version: String
  /// Why it cannot be used; empty if it can.
  public var reason: String
  /// The remedy; empty if nothing needs doing.
  public var remedy: String

  /// A mechanism and its state.
  public init(name: String, version: String, reason: String = "", remedy: String = "") {
    self.name = name
    self.version = version
    self.reason = reason
    self.remedy = remedy
  }
}
