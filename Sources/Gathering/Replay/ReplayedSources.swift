public import Ground

/// The recorded sources that a replay context plays (sources V14).
public protocol ReplayedSources: Sendable {
  /// The moment of the first row.
  var start: Instant { get }
  /// Nanoseconds from there to the last row.
  var duration: Int64 { get }
  /// The kinds as recorded, each with its own property table.
  var kinds: [any SourceKind] { get }

  /// The instances of a kind, in listing order.
  func instances(of kind: any SourceKind) -> [Instance]
  /// A way through the rows of one instance. Throws `io` and `parse`.
  func rows(of instance: Instance, of kind: any SourceKind) throws(SourceError) -> any ReplayedRows
}

/// The rows of one recorded instance in time order; may be called on any thread.
public protocol ReplayedRows: AnyObject, Sendable {
  /// The usual time between two rows in nanoseconds; 0 if there is none.
  var interval: Int64 { get }

  /// How things stood at a moment (boot ns): of each property the newest outcome up to then,
  /// stamped; `notRead` before the first.
  func state(at moment: Int64) throws(SourceError) -> [Outcome]
  /// The rows after a moment and up to another, in order, a new block after each gap.
  func blocks(after moment: Int64, through last: Int64) throws(SourceError) -> [SampleBlock]
  /// Why rows were lost after the last one; nil if none were. Called when that has been played.
  func lossAtEnd() -> SourceError?
  /// When the first row after a moment was; nil behind the last.
  func nextRow(after moment: Int64) throws(SourceError) -> Int64?
  /// The same of the last of those rows, at most so many and each before an end, that lie together
  /// and in order; nil if the first one is not before the end.
  func lastRow(
    after moment: Int64, before end: Int64, most count: Int
  ) throws(SourceError) -> Int64?
}
