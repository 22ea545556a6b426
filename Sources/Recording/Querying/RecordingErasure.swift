import DataSources
import Gathering
import Ground
import Machine
import Values

/// Removes rows from a recording: its files are rewritten, all of them before the first replaces
/// the original.
struct RecordingErasure {
  /// Of which series; nil for all.
  var names: [EntryID]?
  /// Of which times on CLOCK_REALTIME; nil for all.
  var span: ClosedRange<Int64>?
  /// Which of these rows; nil for all.
  var condition: Predicate?
  let cancellation: Cancellation?

  init(cancellation: Cancellation?) { self.cancellation = cancellation }

  /// Whether nothing of a series is to stay, not even its name.
  private var isWhole: Bool { span == nil && condition == nil }

  /// Removes them from all files. Unreadable parts of a rewritten file are removed too.
  ///
  /// Throws `io` with EBUSY while a recorder writes the recording; nothing has changed then, nor
  /// after any other error before the first file is replaced.
  func perform(
    on parts: RecordingParts, at path: String, in storage: any FileStorage
  ) throws(SourceError) {
    guard let last = parts.files.last?.path else { return }
    // A recorder locks the last file, and so does another erasure.
    let held = try storage.openRecording(last, for: .changing)
    defer { withExtendedLifetime(held) {} }
    var replacements: [(path: String, new: String)] = []
    do throws(SourceError) {
      for file in parts.files where mayConcern(file) {
        let isLast = file.path == last
        let former = isLast ? held : try storage.openRecording(file.path, for: .reading)
        if let new = try rewrite(former, file.path, in: storage) {
          replacements.append((file.path, new))
        }
      }
      if cancellation?.isCancelled == true { throw .closed }
      do {
        for (path, new) in replacements { try storage.move(new, to: path) }
      } catch {
        throw SourceError(error)
      }
    } catch {
      for (_, new) in replacements { try? storage.remove(new) }
      throw error
    }
  }

  private func mayConcern(_ file: RecordingFile) -> Bool {
    if names == nil, span == nil { return true }
    let series = file.series.filter { concerns($0) }
    if isWhole, !series.isEmpty { return true }
    let numbers = series.map(\.number)
    return file.blocks(realtime: span).contains { names == nil || numbers.contains($0.series) }
      || file.events.contains { concerns($0, numbers) }
  }

  private func concerns(_ series: RecordedSeries) -> Bool {
    names?.contains(EntryID(series.name)) ?? true
  }

  private func concerns(_ event: RecordedEvent, _ numbers: [UInt32]) -> Bool {
    guard condition == nil else { return false }
    guard names == nil || event.series.map(numbers.contains) ?? false else { return false }
    return span?.contains(event.instant.realtime) ?? true
  }

  // MARK: One file

  /// Writes the remaining rows of a file to another, and returns its path; nil if all rows remain.
  private func rewrite(
    _ former: any StoredFile, _ path: String, in storage: any FileStorage
  ) throws(SourceError) -> String? {
    var index = try RecordingIndex(of: former)
    try index.scan(former)
    let series = Dictionary(index.series.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    let rows = Dictionary(index.blocks.map { ($0.offset, $0) }, uniquingKeysWith: { $1 })
    let file: any StoredFile
    do {
      file = try storage.replacement(of: path)
    } catch {
      throw SourceError(error)
    }
    var isChanged = false
    do throws(SourceError) {
      var end = 0
      try file.append(try former.read(0, Format.fileHeaderSize), at: &end)
      for place in index.places {
        if cancellation?.isCancelled == true { throw .closed }
        let block = try former.read(place.offset, place.header.blockSize)
        let kept = stays(block, place.header, rows[place.offset], series)
        if kept != block { isChanged = true }
        if let kept { try file.append(Self.renumbered(kept), at: &end) }
      }
      if isChanged { try file.settle() }
    } catch {
      try? storage.remove(file.path)
      throw error
    }
    if isChanged { return file.path }
    try? storage.remove(file.path)
    return nil
  }

  /// The remaining part of a block: all of it, a part, or nothing.
  private func stays(
    _ block: [UInt8], _ header: BlockHeader, _ rows: RecordedBlock?,
    _ series: [UInt32: RecordedSeries]
  ) -> [UInt8]? {
    let body = Array(block.dropFirst(Format.blockHeaderSize))
    let isWhole = BlockHeader.check(of: body) == header.bodyCheck
    switch BlockType(rawValue: header.type) {
    case .rows:
      guard let rows else { return nil }
      let facts = series[rows.series]
      guard facts.map(concerns) ?? (names == nil) else { return block }
      if let span, !span.overlaps(rows.realtime) { return block }
      guard isWhole, let table = try? RowTable(body: body) else { return nil }
      return stays(block, header, RecordedRows(series: rows.series, table), facts)
    case .series:
      guard isWhole else { return nil }
      guard self.isWhole, let facts = Self.facts(body).flatMap({ RecordedSeries($0) }) else {
        return block
      }
      return concerns(facts) ? nil : block
    case .event:
      guard isWhole else { return nil }
      guard let event = Self.facts(body).flatMap({ RecordedEvent($0) }) else { return block }
      return concerns(event, series.values.filter(concerns).map(\.number)) ? nil : block
    case .opening, .closing, nil: return block
    }
  }

  /// The remaining part of some rows.
  private func stays(
    _ block: [UInt8], _ header: BlockHeader, _ rows: RecordedRows, _ facts: RecordedSeries?
  ) -> [UInt8]? {
    let times = rows.realtimes
    var series: QueriedSeries?
    if condition != nil {
      // A condition refers to columns, and no description fits these rows.
      guard let facts, facts.width == rows.propertyCount else { return block }
      series = QueriedSeries(facts, nil)
    }
    let kept = times.indices.filter { row in
      if span?.contains(times[row]) == false { return true }
      guard let condition, let series else { return false }
      return !condition.holds(
        for: RecordedRow(series: series, rows: rows, row: row, time: times[row]))
    }
    if kept.count == times.count { return block }
    if kept.isEmpty { return nil }
    let boot = rows.times
    var table = RowTable(properties: rows.propertyCount)
    for row in kept {
      table.append(
        time: boot[row], offset: times[row] &- boot[row], rows.samples(ofRow: row))
    }
    var scales = [Numbers.Scale?](repeating: nil, count: rows.propertyCount)
    let body = table.body(ofSeries: rows.series, scales: &scales)
    return BlockHeader.block(
      .rows, number: header.number, body: body, series: header.series)
  }

  /// A block under the next number: who has read the file sees that it is another now, wherever the
  /// blocks lie.
  private static func renumbered(_ block: [UInt8]) -> [UInt8] {
    var block = block
    var place = 12
    // The lowest byte first, with carry.
    while place < 16 {
      block[place] &+= 1
      if block[place] != 0 { break }
      place += 1
    }
    let check = BlockHeader.check(of: Array(block[..<20]))
    for byte in 0..<4 { block[20 + byte] = UInt8(truncatingIfNeeded: check >> UInt32(8 * byte)) }
    return block
  }

  private static func facts(_ body: [UInt8]) -> ValueDictionary? {
    if case .dictionary(let facts)? = try? Value(json: body) { facts } else { nil }
  }
}
