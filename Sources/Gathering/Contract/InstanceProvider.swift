import Ground
import Machine
import Values

/// Where a context's instances come from: a machine's kinds, a simulation, a recording.
protocol InstanceProvider: Sendable {
  /// The instances of a kind at this moment; without side effects.
  func discover(_ kind: any SourceKind) -> Discovery
  /// Claims one instance for reading; for an aggregate, what belongs to no member, or nil.
  func claim(
    _ instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> sending (any InstanceReader)?
  /// Sets a property of an instance on the device itself.
  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, of kind: any SourceKind
  ) throws(SourceError)
  /// The smallest interval granted to an instance, and why.
  func floor(of instance: Instance, of kind: any SourceKind) -> (interval: Int64, reason: String)
  /// Begins to tell of changes, when the first source updates or is watched.
  func beginWatching(_ kind: any SourceKind, changed: @escaping @Sendable (Change) -> Void)
    -> [any Cancellable]
  /// Begins to hear what the kernel tells of a single instance: when it was, if the kernel says so.
  /// Nil where that cannot be heard.
  func listen(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (_ bootTime: Int64?) -> Void
  ) -> (any Cancellable)?
  /// Asks those who answer in their own time what kinds will want to know, and waits for them, 2 s
  /// at most and never on the loop. What was asked stays fresh until all of this is cancelled.
  func prepare(_ kinds: [any SourceKind]) -> [any Cancellable]
  /// Forgets what was refused of a kind: its next look finds what is so now (sources A4).
  func lookAnew(_ kind: any SourceKind)
  /// Whether being told of changes costs nothing, so that even idle sources hear of them.
  var tellsForFree: Bool { get }
  /// Whether nothing ever comes, goes or changes: what was found once is not looked for again.
  var changesNever: Bool { get }
  /// What the doctor says of mechanisms and libraries.
  var mechanisms: [Mechanism] { get }
}

extension InstanceProvider {
  /// A machine changes.
  var changesNever: Bool { false }

  /// Nothing has to be waited for.
  func prepare(_ kinds: [any SourceKind]) -> [any Cancellable] { [] }

  /// Nothing is remembered.
  func lookAnew(_ kind: any SourceKind) {}

  /// Nothing is heard of single instances.
  func listen(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (_ bootTime: Int64?) -> Void
  ) -> (any Cancellable)? {
    nil
  }
}

/// What a provider noticed.
enum Change: Sendable {
  /// The list of a kind may be another now.
  case instances
  /// The kernel told of something: the list may be another, and event-driven sources are read.
  case notice
  /// One instance, by name, has something new to read.
  case values(instance: String)
}

/// A means of reaching the machine, with its version or the reason it cannot be used.
public struct Mechanism: Sendable, Equatable {
  /// `udev`, `procfs` …
  public var name: String
  /// The version found; empty if it cannot be used.
  public var version: String
  /// Why it cannot be used; empty if it can.
  public var reason: String
  /// What to do about it; empty if nothing needs doing.
  public var remedy: String

  /// A mechanism and its state.
  public init(name: String, version: String, reason: String = "", remedy: String = "") {
    self.name = name
    self.version = version
    self.reason = reason
    self.remedy = remedy
  }
}
