import Gathering

/// An update or event of a source, or another list of them.
enum WatchItem: Sendable {
  case update(session: UInt32, SourceUpdate)
  case event(session: UInt32, SourceEvent)
  /// The instances there are now.
  case instances([SourceDescription])
}
