import Gathering
import Ground

/// The speed of a replay that stands still, until it goes on.
final class Playback: Sendable {
  private let rate = Lock(1.0)

  /// Sets the speed, at once where it plays.
  func setRate(_ new: Double, of context: Context) throws(SourceError) {
    if new > 0 { rate.withLock { $0 = new } }
    try context.setRate(new)
  }

  /// Goes on at the speed of before, or stands still.
  func setPlaying(_ isPlaying: Bool, of context: Context) throws(SourceError) {
    if let present = context.rate, present > 0 { rate.withLock { $0 = present } }
    try context.setRate(isPlaying ? rate.withLock { $0 } : 0)
  }
}
