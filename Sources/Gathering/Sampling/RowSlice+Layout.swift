extension RowSlice {
  /// How the samples of one property lie in the rows, for those who keep many.
  public enum Layout: Sendable {
    /// Every row has numbers in a column of their own, and its sequence is one more than that of
    /// the row before. Where all numbers are finite, nothing is absent; a row with one that is not
    /// is to be asked for its sample.
    case numbers([Double], width: Int)
    /// The first row's sample holds for all.
    case constant
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

  /// Whether one sample holds in all rows, as it did in the update before: `last`, which is neither
  /// new nor behind a gap.
  public func holds(_ last: Sample, ofPropertyAt property: Int) -> Bool {
    guard own == nil, !hasGap, case .constant(let sample) = block.columns[property],
      sample.sequence == last.sequence, sample.time == last.time, sample.status == last.status,
      before.sequence(at: property) == sample.sequence, before.status(at: property) == sample.status
    else { return false }
    return sample.realtime == last.realtime && sample.clockOrigin == last.clockOrigin
      && sample.flags.subtracting([.isNew, .gap]) == last.flags
      && sample.absence === last.absence && sample.value == last.value
  }

  /// How the samples of a property lie in the rows.
  public func layout(ofPropertyAt property: Int) -> Layout {
    guard own == nil else { return .separate }
    switch block.columns[property] {
    case .constant: return .constant
    case .runs(let runs):
      guard selection == nil else { return .separate }
      return .runs(runs.map { Run(row: $0.row, hasRowTimes: !$0.isStamped) })
    case .numbers(_, _, _, let type):
      guard isConsecutive, type == .double || type.isVector,
        let (numbers, width) = numbers(ofPropertyAt: property)
      else { return .separate }
      return .numbers(numbers, width: width)
    }
  }

  /// When all rows were so, on CLOCK_BOOTTIME.
  public var times: [Int64] { selection.map { $0.map { block.times[$0] } } ?? block.times }

  /// Whether no row is left out between the first and the last.
  private var isConsecutive: Bool {
    guard let selection, let first = selection.first, let last = selection.last else { return true }
    return last - first == selection.count - 1
  }
}

extension PropertyType {
  fileprivate var isVector: Bool {
    if case .vector = self { true } else { false }
  }
}
