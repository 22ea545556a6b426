/// When the next try to connect is made (fleet F11).
struct BrokerRetry {
  private var failures = 0

  /// How long to wait after a failure, in nanoseconds: 1, 2, 4 … 30 s, a minute after one that will
  /// not mend itself; each a fifth more or less, at random.
  mutating func delay(
    after failure: BrokerFailure, using generator: inout some RandomNumberGenerator
  ) -> Int64 {
    let seconds = failure.isLasting ? 60 : min(30, Int64(1) << min(failures, 5))
    failures += 1
    return seconds * Int64.random(in: 800_000_000...1_200_000_000, using: &generator)
  }

  /// A connection has ended that lasted this many nanoseconds: after a long one the waits begin
  /// anew.
  mutating func noteEnd(after duration: Int64) {
    if duration >= Self.longEnough { failures = 0 }
  }

  /// How long a connection must have lasted not to count as a failure.
  private static let longEnough: Int64 = 10_000_000_000
}
