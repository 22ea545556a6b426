public import Ground

/// Samples of one instance in columns, as a stream delivers them (sources I6).
///
/// Properties without a column keep their last polled value in every row.
public struct SampleBlock: Sendable {
  /// The payloads of one property, one a row.
  public enum Column: Sendable {
    /// Numbers, `width` per row: the components of a vector, or a double, an integer or a boolean.
    /// NaN means a row without a value.
    case numbers([Double], width: Int)
    /// Outcomes, each valid from its row to the next one listed; the first is for row 0. A stamped
    /// outcome keeps its time, the others take that of each row.
    case runs([Run])
  }

  /// An outcome and the first row it holds for.
  public struct Run: Sendable {
    /// The first row.
    public var row: Int
    /// The outcome from this row on.
    public var outcome: Outcome
    /// Its number among the values of the property, where the instance itself counts; 0 where the
    /// library does.
    public var sequence: UInt64
    /// When it was so on CLOCK_REALTIME, where that is not the block's offset from its stamp.
    public var realtime: Int64?

    /// An outcome from a row on.
    public init(
      from row: Int, _ outcome: Outcome, sequence: UInt64 = 0, realtime: Int64? = nil
    ) {
      self.row = row
      self.outcome = outcome
      self.sequence = sequence
      self.realtime = realtime
    }
  }

  /// When each row was so, on CLOCK_BOOTTIME in nanoseconds, never falling.
  public var times: [Int64]
  /// The clock of the time stamps.
  public var origin: ClockOrigin
  /// The columns by the index of their property.
  public var columns: [Int: Column]
  /// Why rows have no number in a column of numbers, by the index of its property, each valid from
  /// its row to the next one listed, the first for row 0. Rows with a number ignore it.
  public var absences: [Int: [Run]] = [:]
  /// The number of the first row of a column of numbers, by the index of its property, where the
  /// instance itself counts; the library counts the others.
  public var firstSequences: [Int: UInt64] = [:]
  /// Whether rows were lost before the first.
  public var hasGap: Bool
  /// Why rows of the recording were lost before the first row of this block; reported as an event.
  public var loss: SourceError?
  /// The present condition of the instance besides its values, such as still searching; nil while
  /// the discovered one applies.
  public var condition: Availability?
  /// Whether the rows come from a recording (flag `replayed`).
  public var isReplayed = false
  /// What becomes of rows that come behind later ones; others are of the present.
  package enum Past: Sendable {
    case none
    /// They go to those who record, and change no value.
    case kept
    /// All get them.
    case told
  }

  /// Whether a block was taken, for those who have it no more once they have delivered it.
  package final class Receipt: Sendable {
    private let taken = Lock(false)

    package init() {}

    /// Whether it was.
    package var isTaken: Bool { taken.withLock { $0 } }

    func note() { taken.withLock { $0 = true } }
  }

  /// Notes that it was taken.
  package var receipt: Receipt?
  /// Whether the rows come behind later ones.
  package var past = Past.none
  /// The offset of CLOCK_REALTIME from CLOCK_BOOTTIME in nanoseconds; nil for the present one.
  public var realtimeOffset: Int64?
  /// When each row was so on CLOCK_REALTIME, where no offset holds for all; empty otherwise.
  public var realtimes: [Int64] = []

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
  /// The runs of the rows after the first `rows`; runs that end before are removed.
  func dropping(_ rows: Int) -> [SampleBlock.Run] {
    enumerated().compactMap { place, run in
      let end = place + 1 < count ? self[place + 1].row : Int.max
      guard end > rows else { return nil }
      var rest = run
      rest.row = Swift.max(run.row - rows, 0)
      return rest
    }
  }
}

/// A reader whose instance can also deliver samples by itself, at the hardware's rate.
public protocol StreamingReader: InstanceReader {
  /// Sessions with an interval shorter than this, in nanoseconds, are served by a stream.
  var streamsBelow: Int64 { get }

  /// Begins to deliver samples until the stream is cancelled.
  ///
  /// `deliver` and `ended` may be called on any thread, one call at a time, also before this
  /// returns. `ended` is called at most once: the library opens the stream again (sources L9); nil
  /// is the end of a captured file, after which no more samples come. If this throws, the instance
  /// is polled and the error is the reason.
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

  /// The interval granted for a requested one, independent of other sessions (sources I3): that of
  /// the nearest rate of the hardware or, if it has only one, the requested interval, with samples
  /// left out.
  func granted(for asked: Int64) -> Int64

  /// Why what is granted is not what was requested, in one clause.
  var grantReason: String { get }

  /// Sets the hardware to the rate for a shorter interval; samples lost meanwhile are reported as a
  /// gap. If this throws, the rate is unchanged and the error is the reason.
  func quicken(to interval: Int64) throws(SourceError)
}

/// A stream at one rate.
extension SampleStream {
  /// Samples are left out for a session with a longer interval.
  public func granted(for asked: Int64) -> Int64 { max(asked, interval) }

  /// Hardware has rates of its own.
  public var grantReason: String { "the nearest rate of the hardware" }

  /// It is as fast as it gets.
  public func quicken(to interval: Int64) throws(SourceError) {}
}
