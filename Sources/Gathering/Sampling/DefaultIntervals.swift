import Ground

/// The default interval of each kind in this process: settable, read at each start that names none,
/// not persisted (sources I2).
public enum DefaultIntervals {
  private static let changed = Monitor<[String: Int64]>([:])

  /// The interval of a kind in nanoseconds.
  public static func interval(of kind: any SourceKind) -> Int64 {
    changed.withLock { $0[kind.kind] } ?? kind.intervals.factoryDefault
  }

  /// Sets a kind's interval; nil restores the factory value. Running sources keep theirs.
  public static func set(_ interval: Int64?, of kind: any SourceKind) throws(SourceError) {
    if let interval, interval <= 0 {
      throw .invalidArgument("the interval must be greater than 0")
    }
    changed.withLock { $0[kind.kind] = interval }
  }
}
