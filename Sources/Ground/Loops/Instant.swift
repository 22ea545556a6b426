/// One instant on the two clocks every sample carries, in nanoseconds.
public struct Instant: Equatable, Sendable {
  /// CLOCK_BOOTTIME in nanoseconds: continues during suspend, never steps.
  public var boot: Int64
  /// CLOCK_REALTIME in nanoseconds since 1970: may step.
  public var realtime: Int64

  /// An instant on both clocks.
  public init(boot: Int64, realtime: Int64) {
    self.boot = boot
    self.realtime = realtime
  }

  /// The same as a point in boot time.
  public var moment: Moment { Moment(nanoseconds: boot) }
}

/// The source of a machine's time.
public protocol TimeSource: Sendable {
  /// The present instant, both clocks read together.
  var now: Instant { get }
  /// The present on CLOCK_BOOTTIME alone, in nanoseconds.
  var boot: Int64 { get }
  /// How long the machine has slept since it started, in nanoseconds.
  var asleep: Int64 { get }
}

extension TimeSource {
  /// Where both clocks are one.
  public var boot: Int64 { now.boot }

  /// One that never sleeps.
  public var asleep: Int64 { 0 }

  /// The present moment, of CLOCK_BOOTTIME alone.
  public var moment: Moment { Moment(nanoseconds: boot) }
}
