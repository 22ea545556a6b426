import Ground

/// Which reading the newest rows of an instance show, and what they need of the next one.
///
/// A row that the next reading has not written needs no more than its time. Bits stand for rows;
/// where there are more of them than bits, nothing is known.
struct TakenReading {
  /// The number of the reading; 0 where something else has written rows since, or none did.
  private(set) var number: UInt64 = 0
  /// The reading before it, if nothing else wrote between them; else 0.
  private var former: UInt64 = 0
  /// When it was taken, on CLOCK_BOOTTIME in nanoseconds.
  private var boot: Int64 = 0
  /// The session that all rows name as their source; 0 where they may name another, or none.
  var namedSource: UInt32 = 0
  /// The rows that are as the reading has them, and are dated by it.
  private var settled: UInt64 = 0
  /// Those among them of which every reading is news.
  private var counting: UInt64 = 0
  /// The rows of which the reading was news.
  private var news: UInt64 = 0

  /// The rows that are read only as a whole.
  private let statics: UInt64

  /// Nothing was taken over so far.
  init(_ traits: [PropertyTraits]) {
    statics = traits.prefix(Self.capacity).enumerated().reduce(0) { rows, row in
      row.element.contains(.static) ? rows | 1 << UInt64(row.offset) : rows
    }
  }

  /// How many rows there may be.
  static let capacity = UInt64.bitWidth

  /// Something else has written rows.
  mutating func forget() { (number, namedSource) = (0, 0) }

  /// Begins with a reading for so many rows: which need no more than its time.
  mutating func begin(
    _ reading: borrowing Reading, rows: Int, scope: ReadRequest.Scope
  ) -> RowRenewal {
    let isNext =
      number != 0 && reading.number == number &+ 1 && reading.instant.boot >= boot
    former = isNext ? number : 0
    number = rows <= Self.capacity ? reading.number : 0
    boot = reading.instant.boot
    settled = isNext ? settled & ~reading.store.written : 0
    counting &= settled
    news = counting
    return RowRenewal(
      rows: scope == .changing ? settled & ~statics : settled, counting: counting)
  }

  /// What became of a row that needed more.
  @inline(__always)
  mutating func note(_ index: Int, isSettled: Bool, isCounting: Bool, isNews: Bool) {
    let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: index)
    if isSettled { settled |= bit }
    if isSettled && isCounting { counting |= bit }
    if isNews { news |= bit }
  }

  /// The rows that are new since another reading was shown; nil if that is not known.
  func news(since shown: UInt64) -> UInt64? {
    shown != 0 && number != 0 && shown == former ? news : nil
  }
}
