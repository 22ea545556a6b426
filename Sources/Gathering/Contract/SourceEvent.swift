public import Values

/// Something that happened to a source or an instance (sources 4).
public struct SourceEvent: Sendable {
  /// What happened.
  public enum What: Sendable, Equatable {
    case added
    case removed
    case started
    /// nil: the host requested it.
    case stopped(SourceError?)
    case failedToStart(SourceError)
    case availabilityChanged(Availability)
    case permissionRequested
    /// Rows of a recording that is played cannot be read, or were not recorded.
    case lost(SourceError)
  }

  /// The source or instance concerned.
  public let id: SourceIdentifier
  /// What happened.
  public let what: What

  /// Makes an event.
  package init(id: SourceIdentifier, what: What) {
    (self.id, self.what) = (id, what)
  }
}
