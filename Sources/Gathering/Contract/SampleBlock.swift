public import Ground

/// Samples of one instance in columns: what a stream delivers (sources I6).
///
/// Properties without a column keep their last polled value in every row.
public struct SampleBlock: Sendable {
  /// The payloads of one property, one a row.
  public enum Column: Sendable {
    /// Numbers, `width` of them a row: a vector's components, or a double, an integer, a truth.
    /// NaN stands for a row without one.
    case numbers([Double], width: Int)
    /// Outcomes that hold from a row to the next one named; the first is for row 0. One that was
    /// stamped keeps its time, the others take that of each row.
    case runs([Run])
  }

  /// An outcome and the first row it holds for.
  public struct Run: Sendable {
    /// The first row.
    public var row: Int
    /// What is so from there on.
    public var outcome: Outcome

    /// An outcome from a row on.
    public init(from row: Int, _ outcome: Outcome) {
      self.row = row
      self.outcome = outcome
    }
  }

  /// When each row was so, on CLOCK_BOOTTIME in nanoseconds, never falling.
  public var times: [Int64]
  /// Whose clock that is.
  public var origin: ClockOrigin
  /// The columns by the index of their property.
  public var columns: [Int: Column]
  /// Why rows have no number in a column of numbers, by the index of its property: what holds from
  /// a row to the next one named, the first for row 0. Rows with a number do without.
  public var absences: [Int: [Run]] = [:]
  /// Whether rows were lost before the first.
  public var hasGap: Bool
  /// Why rows were lost before the first that a recording should have; told as an event.
  public var loss: SourceError?
  /// What the instance says of itself by now, beside its values: that it is still searching, say;
  /// nil while what was discovered holds.
  public var condition: Availability?
  /// Whether the rows come from a recording (flag `replayed`).
  public var isReplayed = false
  /// What CLOCK_REALTIME was ahead of CLOCK_BOOTTIME; nil for what it is now.
  public var realtimeOffset: Int64?

  /// Rows of columns.
  public init(
    times: [Int64], origin: ClockOrigin, columns: [Int: Column], hasGap: Bool = false
  ) {
    self.times = times
    self.origin = origin
    self.columns = columns
    self.hasGap = hasGap
  }

  /// How many rows there are.
  public var rowCount: Int { times.count }
}

extension [SampleBlock.Run] {
  /// What holds in rows that begin later by so many; nothing of what ended before is left.
  func dropping(_ rows: Int) -> [SampleBlock.Run] {
    enumerated().compactMap { place, run in
      let end = place + 1 < count ? self[place + 1].row : Int.max
      return end > rows ? SampleBlock.Run(from: Swift.max(run.row - rows, 0), run.outcome) : nil
    }
  }
}

/// A reader whose instance can also deliver samples by itself, at the hardware's rate.
public protocol StreamingReader: InstanceReader {
  /// Sessions that ask for less than this, in nanoseconds, are served by a stream.
  var streamsBelow: Int64 { get }

  /// Begins to deliver samples until the stream is cancelled.
  ///
  /// `deliver` and `ended` may be called on any thread, one call at a time, also before this
  /// returns. `ended` comes once at most: the library opens the stream again (sources L9); nil is
  /// the end of a captured file, after which no more samples come. What this throws is why the
  /// instance is polled instead.
  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream
}

/// A running stream of samples.
public protocol SampleStream: Cancellable {
  /// The time between two samples in nanoseconds at present; 0 if unknown.
  var interval: Int64 { get }

  /// The interval granted for one asked for, independent of other sessions (sources I3): that of
  /// the nearest rate the hardware has, or, where it has but one, the interval asked for, thinned.
  func granted(for asked: Int64) -> Int64

  /// Has the hardware run at the rate for a shorter interval; the samples lost meanwhile are told
  /// of as a gap. What this throws is why it stays as it is.
  func quicken(to interval: Int64) throws(SourceError)
}

/// A stream at one rate.
extension SampleStream {
  /// Samples are left out for a session that asks for fewer.
  public func granted(for asked: Int64) -> Int64 { max(asked, interval) }

  /// It is as fast as it gets.
  public func quicken(to interval: Int64) throws(SourceError) {}
}
