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
  /// Whether a reading of what changes counts only where all else was read before, and as much of
  /// it was allowed.
  var isSparing = false
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
  public func wants(_ mode: ReportingMode, _ category: PrivacyCategory?) -> Bool {
    (scope == .everything || mode != .static) && allow.permits(category)
  }
}
