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
    let places = block.columns.keys.filter(properties.indices.contains).sorted()
    let former = basisOfRows
    let columns = columns(of: block, places, realtimeOffset: offset)
    let isAsBefore = former.map { $0.covers(columns) } ?? false
    let carried = isAsBefore ? former?.carried ?? newest : newest.copied()
    let rows = RowBlock(block, realtimeOffset: offset, carrying: carried, columns)
    for column in columns { rows.put(rows.rowCount - 1, of: column, into: newest) }
    // With the texts of the columns, so that rows which bring no other ones share their list.
    if !isAsBefore { carried.copy(newest) }
    taken.forget()
    basisOfRows = RowBasis(carried: carried, columns: columns)
    streamed = Set(places)
    readings += 1
    failure = nil
    return rows
  }

  /// Gives rows of the past to those who record: the newest values stay.
  func keep(_ block: SampleBlock, realtimeOffset: Int64) {
    let places = block.columns.keys.filter(properties.indices.contains).sorted()
    let offset = block.realtimeOffset ?? realtimeOffset
    let columns = columns(of: block, places, realtimeOffset: offset)
    guard block.rowCount > 0 else { return }
    let rows = RowBlock(block, realtimeOffset: offset, carrying: newest.copied(), columns)
    for session in sessions where session.phase == .updating && !session.taps.isEmpty {
      let slice = RowSlice(
        rows, of: session.number, choice: .all, before: session.latest, hasGap: false)
      for tap in session.taps { tap.keep(slice, from: session.number) }
    }
  }

  private func columns(
    of block: SampleBlock, _ places: [Int], realtimeOffset offset: Int64
  ) -> [RowBlock.Column] {
    places.compactMap { index -> RowBlock.Column? in
      guard let column = block.columns[index] else { return nil }
      return content(
        of: column, ofPropertyAt: index, in: block, realtimeOffset: offset
      ).map { RowBlock.Column(property: index, content: $0) }
    }
  }

  private func content(
    of column: SampleBlock.Column, ofPropertyAt index: Int, in rows: SampleBlock,
    realtimeOffset: Int64
  ) -> RowBlock.Column.Content? {
    switch column {
    case .numbers(let numbers, let width):
      guard width > 0, numbers.count == width * rows.rowCount else { return nil }
      // NaN and infinities are absent values (sources V6).
      let isClean = numbers.allSatisfy(\.isFinite)
      let clean = isClean ? numbers : numbers.map { $0.isFinite ? $0 : .nan }
      let next = rows.firstSequences[index] ?? newest.sequence(at: index) &+ 1
      return RowBlock.Numbers(clean, width: width, from: next, as: properties[index].type)
        .map(RowBlock.Column.Content.numbers)
    case .runs(let runs):
      if runs.count == 1, runs[0].sequence == 0,
        let known = basisOfRows?.runs(ofPropertyAt: index), known.says(runs[0])
      {
        return .runs(known)
      }
      let block = self.block(
        of: runs, ofPropertyAt: index, realtimeOffset: realtimeOffset,
        continues: runs.first?.sequence == 0)
      let starts = runs.map { (row: $0.row, isStamped: $0.outcome.stamp != nil) }
      return runs.isEmpty ? nil : .runs(RowBlock.Runs(starts, block))
    }
  }

  /// Runs as rows of a block, which continue the newest value, unless the instance itself counts:
  /// what it says is whole.
  private func block(
    of runs: [SampleBlock.Run], ofPropertyAt index: Int, realtimeOffset: Int64, continues: Bool
  ) -> Block {
    let block = Block(count: runs.count)
    for (place, run) in runs.enumerated() {
      if place == 0 {
        if continues { block.copyRow(index, of: newest, to: 0) }
      } else {
        block.copyRow(place - 1, of: block, to: place)
      }
      // Only an outcome with a time stamp is a reading of its own.
      let stamp = run.outcome.stamp
      let now = Instant(boot: block.time(at: place), realtime: block.realtime(at: place))
      let instant =
        stamp.map { Instant(boot: $0, realtime: run.realtime ?? $0 &+ realtimeOffset) } ?? now
      let mode = stamp == nil ? .onChange : properties[index].mode
      let isTaken = block.take(run.outcome, at: place, mode: mode, instant: instant)
      if isTaken, run.sequence > 0 { block.number(run.sequence, at: place) }
    }
    return block
  }

  /// The block without rows dated before the newest number of the stream. Outcomes in runs are
  /// states of the acquisition, and may have been read by other means meanwhile.
  ///
  /// It also has no rows at the moment of a reading, which repeat that reading (sources I6).
  private func refusingThePast(_ block: SampleBlock) -> SampleBlock {
    if block.past == .told { return block }
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
    rest.realtimes = Array(realtimes.dropFirst(late))
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
    rest.firstSequences = firstSequences.mapValues { $0 + UInt64(late) }
    return rest
  }
}
