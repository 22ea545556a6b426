import Gathering

/// An update or event of a source or of the context.
enum WatchItem: Sendable {
  case update(session: UInt32, SourceUpdate)
  case event(session: UInt32, SourceEvent)
  /// An instance appeared or disappeared.
  case instance(SourceEvent)
}
