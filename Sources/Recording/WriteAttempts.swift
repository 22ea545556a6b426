import Gathering
import Ground

/// When a file is written, and when again after that failed: soon at first, then every 5 seconds.
struct WriteAttempts: Sendable {
  /// The present failure; nil if there is none.
  private(set) var failure: SystemError?
  private let syncInterval: Int64
  /// When the next attempt is due after a failure, and how long the one after that waits, on
  /// CLOCK_MONOTONIC.
  private var retry: (moment: Int64, pause: Int64)?
  private var nextSync: Int64

  init(syncInterval: Int64) {
    self.syncInterval = syncInterval
    nextSync = Self.now + syncInterval
  }

  static var now: Int64 { Monitor<Void>.moment(after: 0) }

  /// When the next attempt is due if something waits to be written.
  var due: Int64 { retry?.moment ?? nextSync }

  /// Whether the next write has to be synchronised, because that is due or requested or much memory
  /// is in use; nil if there is nothing to write.
  func plan(mustSync: Bool, isFull: Bool) -> Bool? {
    // While the disk fails it is tried ever less often, unless a caller waits for the result.
    if let retry, Self.now < retry.moment, !mustSync { return nil }
    return mustSync || Self.now >= nextSync || isFull || retry != nil
  }

  /// Records the outcome of the write.
  mutating func note(_ error: SystemError?, hasSynced: Bool, path: String) {
    if let error {
      if failure == nil {
        Log.write(.warning, "recording", "\(SourceError(error).message); what comes is kept so far")
      }
      let pause = min((retry?.pause ?? 50_000_000) * 2, 5_000_000_000)
      (failure, retry) = (error, (Self.now + pause, pause))
      return
    }
    if hasSynced { nextSync = Self.now + syncInterval }
    if failure != nil { Log.write(.notice, "recording", "\(path): goes on") }
    (failure, retry) = (nil, nil)
  }
}
