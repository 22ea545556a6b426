import Values

extension RowSlice {
  /// How the samples of one property lie in the rows, for those who keep many.
  public enum Layout: Sendable {
    /// The first row's sample holds for all.
    case carried
    /// Samples that hold from a row to that of the next run; the first is for row 0.
    case runs([Run])
    /// Every row is to be asked for its sample.
    case separate
  }

  /// Rows that say the same, which is new at most in the first of them.
  public struct Run: Sendable {
    /// The first row.
    public let row: Int
    /// Whether each says it of its own time, and not all of the same.
    public let hasRowTimes: Bool
  }

  /// The properties that may differ from row to row; the others are carried.
  public var changing: [Int] {
    own == nil ? block.columns.map(\.property) : Array(0..<propertyCount)
  }

  /// Whether these rows follow those of another slice, or are some of them, so that what both carry
  /// is the same and was already reported.
  public func continues(_ former: RowSlice) -> Bool {
    if own != nil || former.own != nil { return false }
    if former === self { return true }
    return block.carried === former.block.carried && before === former.last && !hasGap
  }

  /// Whether a property that may change says in all rows what it said in those of a slice that
  /// these continue, each time of the row's own time.
  public func repeats(_ former: RowSlice, ofPropertyAt property: Int) -> Bool {
    guard case .runs(let runs) = block.content(ofPropertyAt: property),
      case .runs(let known) = former.block.content(ofPropertyAt: property)
    else { return false }
    return runs === known && runs.starts.count == 1 && !runs.starts[0].isStamped
  }

  /// Some rows as numbers that go on behind those of others: nil where they do not lie in a
  /// column, or something was lost before the first.
  public func numbers(ofPropertyAt property: Int, rows: Range<Int>) -> Continuation? {
    guard own == nil, let first = rows.first, !(hasGap && first == 0), isConsecutive,
      case .numbers(let column) = block.content(ofPropertyAt: property),
      column.type == .double || column.type == .vector
    else { return nil }
    let start = place(first)
    return Continuation(
      numbers: column.all[start * column.width..<(start + rows.count) * column.width],
      width: column.width, sequence: column.firstSequence + UInt64(start), origin: block.origin,
      isReplayed: block.isReplayed)
  }

  /// Numbers of a property, row after row, each with the next sequence.
  public struct Continuation: Sendable {
    /// `width` a row; a row with one that is not finite is to be asked for its sample.
    public let numbers: ArraySlice<Double>
    /// How many numbers a row has.
    public let width: Int
    /// The sequence of the first row.
    public let sequence: UInt64
    /// The clock of the rows.
    public let origin: ClockOrigin
    /// Whether they come from a recording.
    public let isReplayed: Bool
  }

  /// How the samples of a property lie in the rows.
  public func layout(ofPropertyAt property: Int) -> Layout {
    guard own == nil else { return .separate }
    switch block.content(ofPropertyAt: property) {
    case nil: return .carried
    case .runs(let runs):
      guard case .all = choice else { return .separate }
      return .runs(runs.starts.map { Run(row: $0.row, hasRowTimes: !$0.isStamped) })
    case .numbers: return .separate
    }
  }

  /// When all rows were so, on CLOCK_BOOTTIME.
  public var times: [Int64] {
    switch choice {
    case .all: block.times
    case .range(let range): Array(block.times[range])
    case .places(let places): places.map { block.times[$0] }
    }
  }

  /// When each row was so, on CLOCK_REALTIME.
  public var realtimes: [Int64] { (0..<rowCount).map { realtime(ofRow: $0) } }

  /// Whether CLOCK_REALTIME is as far ahead of CLOCK_BOOTTIME in each row.
  public var hasOneOffset: Bool { block.hasOneOffset }

  /// How far CLOCK_REALTIME is ahead of CLOCK_BOOTTIME in a row, in nanoseconds.
  public func offset(ofRow row: Int) -> Int64 { realtime(ofRow: row) &- time(ofRow: row) }

  /// Whether no row is left out between the first and the last.
  private var isConsecutive: Bool {
    guard case .places(let places) = choice, let first = places.first, let last = places.last
    else { return true }
    return last - first == places.count - 1
  }
}
