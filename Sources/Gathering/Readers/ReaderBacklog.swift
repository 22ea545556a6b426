/// What waits of one source behind a full reader that blocks: what a session may hold back, one
/// update and the last rows of a stream (sources L18).
struct ReaderBacklog {
  /// How many rows wait at most.
  static let rowLimit = 4096

  private var reading: ReaderBatch?
  /// Rows in order; those before `head` have gone.
  private var rows: [ReaderBatch] = []
  private var head = 0
  private var rowCount = 0

  /// The oldest that waits; nil if nothing does.
  var first: ReaderBatch? {
    let oldest = head < rows.count ? rows[head] : nil
    guard let reading else { return oldest }
    return oldest.map { $0.serial < reading.serial ? $0 : reading } ?? reading
  }

  /// Adds a batch; the number of samples that were lost for it.
  mutating func append(_ batch: ReaderBatch) -> Int {
    if case .rows = batch.payload {
      rows.append(batch)
      rowCount += batch.rowCount
      return dropRows()
    }
    guard let lost = reading, case .reading(let block) = lost.payload else {
      reading = batch
      return 0
    }
    var news = batch
    news.replace(block)
    reading = news
    noteLoss(before: lost.serial)
    return lost.rest
  }

  /// Takes the oldest out, or so many rows of it.
  mutating func takeFirst(rows number: Int) -> ReaderBatch? {
    guard let first else { return nil }
    if first.serial == reading?.serial {
      defer { reading = nil }
      return reading
    }
    guard number < rows[head].rowCount else {
      popRows()
      return first
    }
    rowCount -= number
    return rows[head].takeRows(number)
  }

  /// The oldest rows of too many go.
  private mutating func dropRows() -> Int {
    var lost = 0
    while rowCount > Self.rowLimit, case .rows(let slice) = rows[head].payload {
      let excess = rowCount - Self.rowLimit
      let serial = rows[head].serial
      if excess >= slice.rowCount {
        lost += rows[head].count
        popRows()
      } else {
        lost += excess * rows[head].width
        rows[head].payload = .rows(slice.dropping(excess))
        rowCount -= excess
      }
      noteLoss(before: serial)
    }
    return lost
  }

  private mutating func popRows() {
    rowCount -= rows[head].rowCount
    head += 1
    if head >= 1024 && head * 2 > rows.count || head == rows.count {
      rows.removeFirst(head)
      head = 0
    }
  }

  /// What comes next behind a place where something was lost tells of it.
  private mutating func noteLoss(before serial: UInt64) {
    let next = rows[head...].firstIndex { $0.serial >= serial }
    if let reading, reading.serial > serial, next.map({ rows[$0].serial > reading.serial }) ?? true
    {
      self.reading?.hasGap = true
    } else if let next {
      rows[next].hasGap = true
    }
  }
}
