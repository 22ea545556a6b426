import Ground

extension ProducerState {
  /// Stores a stream's rows: the newest values are then those of the last row.
  ///
  /// Rows dated before their predecessor are dropped and counted (sources V12). Nil if none is
  /// left.
  func takeOver(_ block: SampleBlock, realtimeOffset: Int64) -> RowBlock? {
    let block = refusingThePast(block)
    guard block.rowCount > 0 else { return nil }
    let offset = block.realtimeOffset ?? realtimeOffset
    let columns = properties.indices.map { index -> RowBlock.Column in
      guard let column = block.columns[index] else { return .constant(newest[index]) }
      return place(
        column, ofPropertyAt: index, rowCount: block.rowCount, realtimeOffset: offset)
    }
    let rows = RowBlock(block, realtimeOffset: offset, columns: columns)
    let last = rows.rowCount - 1
    for index in block.columns.keys where (0..<newest.count).contains(index) {
      newest.set(rows.sample(row: last, property: index), at: index)
    }
    streamed = Set(block.columns.keys)
    readings += 1
    failure = nil
    return rows
  }

  private func place(
    _ column: SampleBlock.Column, ofPropertyAt index: Int, rowCount: Int, realtimeOffset: Int64
  ) -> RowBlock.Column {
    switch column {
    case .numbers(let numbers, let width):
      guard width > 0, numbers.count == width * rowCount else { return .constant(newest[index]) }
      let first = newest.sequence(at: index) + 1
      // NaN and infinities are absent values (sources V6).
      let isClean = numbers.allSatisfy(\.isFinite)
      let clean = isClean ? numbers : numbers.map { $0.isFinite ? $0 : .nan }
      return .numbers(clean, width: width, firstSequence: first, type: properties[index].type)
    case .runs(let runs):
      var sample = newest[index]
      var placed: [(row: Int, sample: Sample, isStamped: Bool)] = []
      for run in runs {
        // Only an outcome with a time stamp is a reading of its own.
        let stamp = run.outcome.stamp
        let realtime = stamp.map { $0 &+ realtimeOffset } ?? sample.realtime
        let instant = Instant(boot: stamp ?? sample.time, realtime: realtime)
        let mode = stamp == nil ? .onChange : properties[index].mode
        _ = sample.take(run.outcome, mode: mode, at: instant)
        placed.append((run.row, sample, stamp != nil))
      }
      return placed.isEmpty ? .constant(sample) : .runs(placed)
    }
  }

  /// The block without rows dated before the newest number of the stream. Outcomes in runs are
  /// states of the acquisition, and may have been read by other means meanwhile.
  ///
  /// It also has no rows at the moment of a reading, which repeat that reading (sources I6).
  private func refusingThePast(_ block: SampleBlock) -> SampleBlock {
    var latest = Int64.min
    var lastReading: Int64?
    for (index, column) in block.columns {
      guard case .numbers = column, (0..<newest.count).contains(index) else { continue }
      latest = max(latest, newest.time(at: index))
      if !streamed.contains(index) {
        lastReading = max(lastReading ?? .min, newest.time(at: index))
      }
    }
    let late = block.times.prefix { $0 < latest }.count
    let isRepeat: (Int64) -> Bool = { $0 == latest && $0 == lastReading }
    let repeated = block.times[late...].prefix(while: isRepeat).count
    refused += UInt64(late)
    return late + repeated > 0
      ? block.dropping(late + repeated, hasGap: block.hasGap || late > 0) : block
  }
}

extension SampleBlock {
  /// The block without its first rows.
  fileprivate func dropping(_ late: Int, hasGap: Bool) -> SampleBlock {
    var rest = self
    rest.times.removeFirst(late)
    rest.columns = [:]
    rest.hasGap = hasGap
    for (index, column) in columns {
      switch column {
      case .numbers(let numbers, let width):
        rest.columns[index] = .numbers(Array(numbers.dropFirst(late * width)), width: width)
      case .runs(let runs):
        rest.columns[index] = .runs(runs.dropping(late))
      }
    }
    rest.absences = absences.mapValues { $0.dropping(late) }
    return rest
  }
}
