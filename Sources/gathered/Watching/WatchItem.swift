import Gathering

/// Something a source or the context told a watch.
enum WatchItem: Sendable {
  case update(session: UInt32, SourceUpdate)
  case event(session: UInt32, SourceEvent)
  /// An instance came or went.
  case instance(SourceEvent)
}
