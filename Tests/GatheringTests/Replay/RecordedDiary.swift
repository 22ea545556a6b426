import Gathering
import Ground
import Machine
import Values

/// A recording of one thing, made up in a test: a level every tenth of a second, and a mood that
/// changed once.
struct RecordedDiary: ReplayedSources {
  /// What was recorded.
  struct Thing: SourceKind {
    let kind = "diary"
    let name = "Diary"
    let intervals = Intervals(seconds: 1, minimum: 0)
    let properties = [
      Property("level", .double, .continuous), Property("mood", .string, .onChange),
    ]

    func discover(on machine: Machine) -> Discovery {
      Discovery([], orElse: Availability(.noHardware, backend: "replay"))
    }

    func open(
      _ instance: Instance, on machine: Machine
    ) throws(SourceError) -> (any InstanceReader)? { nil }
  }

  static let tenth: Int64 = 100_000_000
  let start = Instant(boot: 5_000_000_000, realtime: 1_600_000_000_000_000_000)
  let rowCount: Int
  /// Called when the row behind a moment is looked for.
  var onLook: @Sendable (Int64) -> Void = { _ in }
  /// Whether its rows cannot be read one behind the other, so that it is polled.
  var isTorn = false
  var duration: Int64 { Int64(rowCount - 1) * Self.tenth }
  let kinds: [any SourceKind] = [Thing()]

  func instances(of kind: any SourceKind) -> [Instance] {
    [Instance("first", availability: Availability(.available, backend: "replay"))]
  }

  func rows(
    of instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> any ReplayedRows {
    Rows(start: start.boot, count: rowCount, isTorn: isTorn, onLook: onLook)
  }

  /// Row `n` has the level `n`; the mood was set with row 3.
  private final class Rows: ReplayedRows {
    let interval = RecordedDiary.tenth
    let start: Int64
    let count: Int
    let isTorn: Bool
    let onLook: @Sendable (Int64) -> Void

    init(
      start: Int64, count: Int, isTorn: Bool, onLook: @escaping @Sendable (Int64) -> Void
    ) {
      self.start = start
      self.count = count
      self.isTorn = isTorn
      self.onLook = onLook
    }

    private func time(_ row: Int) -> Int64 { start + Int64(row) * RecordedDiary.tenth }

    /// The first row that is after a moment; `count` if none is.
    private func row(after moment: Int64) -> Int {
      moment < start ? 0 : min(count, Int((moment - start) / RecordedDiary.tenth) + 1)
    }

    func state(at moment: Int64) -> [Outcome] {
      let row = min(count - 1, Int((moment - start) / RecordedDiary.tenth))
      return [stamped(.double(Double(row)), row), mood(row)]
    }

    private func mood(_ row: Int) -> Outcome {
      row < 3 ? .noData("it was not asked for") : stamped(.string("fine"), 3)
    }

    private func stamped(_ value: Value, _ row: Int) -> Outcome {
      Outcome(value: value, status: .ok, stamp: time(row))
    }

    func lastRow(after moment: Int64, before end: Int64, most: Int) -> Int64? {
      let first = row(after: moment)
      let last = min(row(after: end - 1), first + min(most, count)) - 1
      return last < first ? nil : time(last)
    }

    func nextRow(after moment: Int64) throws(SourceError) -> Int64? {
      if isTorn { throw .parse("its rows are torn") }
      onLook(moment)
      let next = row(after: moment)
      return next < count ? time(next) : nil
    }

    func lossAtEnd() -> SourceError? { nil }

    func blocks(after moment: Int64, through last: Int64) -> [SampleBlock] {
      let rows = row(after: moment)..<max(row(after: moment), row(after: last))
      guard let first = rows.first else { return [] }
      var moods = [SampleBlock.Run(from: 0, mood(first))]
      if first < 3, rows.contains(3) {
        moods.append(SampleBlock.Run(from: 3 - first, mood(3)))
      }
      var block = SampleBlock(
        times: rows.map(time), origin: .kernel,
        columns: [0: .numbers(rows.map(Double.init), width: 1), 1: .runs(moods)])
      block.isReplayed = true
      return [block]
    }
  }
}
