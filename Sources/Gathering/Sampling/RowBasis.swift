/// What rows of a stream have in common with those before, as long as only the stream changes the
/// newest values.
struct RowBasis {
  let carried: Block
  /// The properties that the stream brings, and the runs of those that it brings as such.
  private let properties: [Int]
  private let runs: [(property: Int, runs: RowBlock.Runs)]

  init(carried: Block, columns: [RowBlock.Column]) {
    self.carried = carried
    properties = columns.map(\.property)
    runs = columns.compactMap { column in
      if case .runs(let runs) = column.content { (column.property, runs) } else { nil }
    }
  }

  /// Whether the stream brings these properties and no others.
  func covers(_ columns: [RowBlock.Column]) -> Bool {
    properties.elementsEqual(columns.lazy.map(\.property))
  }

  /// The runs that the stream has brought of a property.
  func runs(ofPropertyAt index: Int) -> RowBlock.Runs? { runs.first { $0.property == index }?.runs }
}

extension RowBlock.Runs {
  /// Whether it is one run that says this of all rows.
  func says(_ run: SampleBlock.Run) -> Bool {
    starts.count == 1 && !starts[0].isStamped && run.outcome == Outcome(block[0])
  }
}
