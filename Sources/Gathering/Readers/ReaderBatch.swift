/// One delivery of one source: a reading, or rows of a stream.
struct ReaderBatch {
  enum Payload: Sendable {
    case reading(Block)
    case rows(RowSlice)
  }
  let source: UInt32
  var payload: Payload
  /// Whether something before it was lost in this reader.
  var hasGap = false
  /// How many of its samples were taken or dropped already.
  var taken = 0
  /// Whether it is the part of a reading that fitted into the reader, and so no row of a frame.
  var isCut = false
  /// Its place among those that wait behind a full reader.
  var serial: UInt64 = 0
  /// Makes its rows those of several deliveries.
  private var joiner = RowJoiner()

  init(source: UInt32, payload: Payload) {
    self.source = source
    self.payload = payload
  }

  /// Takes in the rows of another delivery that go on where its own end, so that both are one;
  /// false where they do not, or would be more than some rows.
  mutating func join(_ next: ReaderBatch, upTo limit: Int) -> Bool {
    guard case .rows(let slice) = payload, case .rows(let more) = next.payload,
      source == next.source, isWhole, next.isWhole, !next.hasGap,
      let joined = joiner.join(more, behind: slice, upTo: limit)
    else { return false }
    payload = .rows(joined)
    return true
  }
}

extension ReaderBatch {
  /// How many samples a reading has.
  var width: Int {
    switch payload {
    case .reading(let block): block.count
    case .rows(let slice): slice.propertyCount
    }
  }

  /// How many readings there are.
  var rowCount: Int {
    switch payload {
    case .reading: 1
    case .rows(let slice): slice.rowCount
    }
  }

  /// How many samples there are, those taken included.
  var count: Int { width * rowCount }

  /// Whether all its readings are whole.
  var isWhole: Bool { taken == 0 && !isCut }

  /// How many samples are left.
  var rest: Int { count - taken }

  /// The sample at a place, reading after reading.
  func sample(at place: Int) -> (sample: Sample, property: Int) {
    let (row, property) = place.quotientAndRemainder(dividingBy: width)
    var sample: Sample
    switch payload {
    case .reading(let block): sample = block[property]
    case .rows(let slice): sample = slice.sample(row: row, property: property)
    }
    if hasGap && row == 0 { sample.flags.insert(.gap) }
    return (sample, property)
  }

  /// How many of its samples fit where there is room for some: whole readings. In an empty reader
  /// at least one, of which what fits is kept if it is larger than the reader alone.
  func fitting(into room: Int, isEmpty: Bool) -> Int {
    if count <= room { return count }
    let whole = room / width
    if case .rows = payload { return max(whole, isEmpty ? 1 : 0) * width }
    return isEmpty ? room : 0
  }

  /// Lets go of all but the first samples, as many as fit; the number of those that are lost.
  mutating func cutEnd(to fitting: Int) -> Int {
    let before = count
    switch payload {
    case .reading(let block):
      payload = .reading(Block((0..<fitting).map { block[$0] }, of: source))
      isCut = fitting < before
    case .rows(let slice): payload = .rows(slice.prefix(fitting / width))
    }
    return before - count
  }

  /// Splits the first rows off, which go on; nothing between them and the rest is lost.
  mutating func takeRows(_ number: Int) -> ReaderBatch {
    var first = self
    guard case .rows(let slice) = payload, number < slice.rowCount else { return first }
    first.payload = .rows(slice.prefix(number))
    payload = .rows(slice.following(number))
    hasGap = false
    return first
  }

  /// A number of samples rounded up to the end of a reading.
  func wholeReadings(of count: Int) -> Int {
    let inside = (taken + count) % width
    return min(rest, inside == 0 ? count : count + width - inside)
  }

  /// Lets go of whole rows that were dropped, so that what is left is whole again.
  mutating func cut() {
    guard case .rows(let slice) = payload, taken > 0, taken % width == 0, rest > 0 else { return }
    payload = .rows(slice.dropping(taken / width))
    taken = 0
  }

  /// Takes the place of a reading that was lost: what was news in it is news still (sources L18).
  mutating func replace(_ lost: Block) {
    guard case .reading(let block) = payload else { return }
    payload = .reading(block.markedNew(where: lost))
  }
}
