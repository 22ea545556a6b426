/// The rates a device grants for requested intervals.
struct RateTable: Sendable {
  /// The present time between two scans in nanoseconds; 0 if the device does not report it.
  let present: Int64
  /// The rates it can be set to; nil where it keeps the one it has.
  private let choice: RateChoice?
  /// The rates the device reported after rates were written.
  private var reported: [String: Int64] = [:]

  /// The table of a device that reports no rates.
  static let silent = RateTable(present: nil, before: nil, choice: .any, wrote: nil)

  /// The rates a device reported before and after a rate was written; `wrote` is nil if the write
  /// was refused.
  init(present: Int64?, before: Int64?, choice: RateChoice, wrote: String?) {
    self.present = present ?? 0
    let wanted = wrote.flatMap(Double.init).flatMap(Rate.interval(ofHertz:))
    guard let wrote, let wanted, let present, choice.hasSeveral,
      present != before || abs(present - wanted) <= wanted / 10
    else {
      // A device that accepts no rate has only one.
      self.choice = nil
      return
    }
    self.choice = choice
    reported[wrote] = present
  }

  /// The interval granted for a requested one, independent of the present rate.
  func granted(for asked: Int64) -> Int64 {
    guard let text = choice?.text(forHertz: 1e9 / Double(max(asked, 1))) else {
      return max(asked, present)
    }
    return reported[text] ?? Double(text).flatMap(Rate.interval(ofHertz:)) ?? asked
  }

  /// Whether hardware set to the rate for one interval is as fast as another needs it.
  func covers(_ interval: Int64, with present: Int64) -> Bool {
    guard present > interval, let choice else { return true }
    return choice.text(forHertz: 1e9 / Double(max(present, 1)))
      == choice.text(forHertz: 1e9 / Double(max(interval, 1)))
  }

  /// The same table with the reported rates of an earlier one.
  func remembering(_ earlier: RateTable) -> RateTable {
    var table = self
    table.reported.merge(earlier.reported) { own, _ in own }
    return table
  }
}
