import Gathering
import Values

/// One receiver: its last complete report, and the epoch being received.
struct PositionReceiver: Sendable {
  /// Some messages about one moment, on their way to become a reading.
  private struct Pending {
    var epoch: PositionReport.Epoch
    var mode: Int?
    /// Whether a message of that moment reported a fix, or none.
    var isPosition = false
    var values: [GPSField: ReceiverValue] = [:]
    /// When its first and its last line came (boot ns).
    let begun: Int64
    var last: Int64
  }

  /// How long after its last line an epoch is complete.
  static let quietness: Int64 = 100_000_000
  /// How long the lines of one epoch may take to come, on the slowest port.
  static let breadth: Int64 = 1_000_000_000
  /// How old a report may be before its values are stale.
  static let freshness: Int64 = 5_000_000_000

  /// The device's path, as the daemon names it.
  let device: String
  /// The fields that its provider never reports.
  let lacks: Set<GPSField>
  /// The mode of the last complete epoch; nil before the first.
  private(set) var mode: Int?
  private var settled: [GPSField: ReceiverValue] = [:]
  private var pending: Pending?
  private var lastEpoch: (epoch: PositionReport.Epoch, begun: Int64)?
  /// When it last reported a position, and anything (boot ns).
  private var positionAt: Int64?
  private var toldAt: Int64?

  init(device: String, lacking lacks: Set<GPSField> = []) {
    self.device = device
    self.lacks = lacks
  }

  /// Whether it has a fix.
  var hasFix: Bool { (mode ?? 0) >= 2 }
  /// Whether it has reported a complete epoch.
  var hasReported: Bool { mode != nil }
  /// When the present epoch counts as complete if no further message of it arrives (boot ns).
  var due: Int64? { pending.map { $0.last + Self.quietness } }

  /// The last payload of a field as it came.
  func raw(_ field: GPSField) -> RawValue? { settled[field]?.raw }

  /// Takes a message; whether that completed an epoch.
  mutating func take(_ report: PositionReport, at now: Int64) -> Bool {
    var isComplete = false
    let isOver = pending.map { now - $0.begun >= Self.breadth } ?? false
    if let pending, isOver || !pending.epoch.isOne(with: report.epoch) {
      isComplete = complete()
    }
    var current = pending ?? begin(report.epoch, at: now)
    if current.epoch == .current { current.epoch = report.epoch }
    current.last = now
    if let mode = report.mode {
      current.mode = Self.mode(mode, of: report.epoch, after: current.mode)
      if report.epoch != .current { current.isPosition = true }
    }
    current.values.merge(report.values) { $1 }
    pending = current
    return isComplete
  }

  /// Processes a message that reports a complete epoch.
  mutating func takeWhole(_ report: PositionReport, at now: Int64) {
    _ = take(report, at: now)
    _ = complete()
  }

  /// Completes the present epoch if no message of it arrived for long enough; returns whether it
  /// did.
  mutating func settle(by now: Int64) -> Bool {
    guard let due, due <= now else { return false }
    return complete()
  }

  /// Lines that come late, on a slow port, go on with the epoch they belong to.
  private func begin(_ epoch: PositionReport.Epoch, at now: Int64) -> Pending {
    if let lastEpoch, lastEpoch.epoch == epoch, case .named(.some) = epoch,
      now - lastEpoch.begun < Self.breadth
    {
      let reported = settled.filter { GPSField.ofEpoch.contains($0.key) && $0.value.isReported }
      return Pending(
        epoch: epoch, mode: mode, isPosition: true, values: reported, begun: lastEpoch.begun,
        last: now)
    }
    return Pending(epoch: epoch, begun: now, last: now)
  }

  /// A receiver that reports its course before its height has a 3D fix nevertheless. A message
  /// about the fix alone is the best source of its mode, unless it is later than the fix itself.
  private static func mode(
    _ mode: Int, of epoch: PositionReport.Epoch, after before: Int?
  ) -> Int {
    if epoch == .current && mode >= 2 { return mode }
    return max(mode, before.map { min($0, epoch == .current ? 2 : 3) } ?? 0)
  }

  private mutating func complete() -> Bool {
    guard let pending else { return false }
    self.pending = nil
    toldAt = pending.begun
    // A mode without a position reports no position, and removes none.
    if let mode = pending.mode, pending.isPosition {
      self.mode = mode
      positionAt = pending.begun
      lastEpoch = (pending.epoch, pending.begun)
      for field in GPSField.ofEpoch {
        settled[field] = Self.reported(field, in: pending, mode: mode).stamped(pending.begun)
      }
    }
    for field in GPSField.ofSky {
      if let reported = pending.values[field] { settled[field] = reported.stamped(pending.begun) }
    }
    return true
  }

  private static func reported(_ field: GPSField, in pending: Pending, mode: Int) -> ReceiverValue {
    let nowhere = RawValue([], place: "")
    if mode < 2 && GPSField.ofFix.contains(field) {
      return ReceiverValue(.noData("no fix"), raw: nowhere)
    }
    if mode < 3 && GPSField.ofHeight.contains(field) {
      return ReceiverValue(.noData("the fix is on a level only"), raw: nowhere)
    }
    return pending.values[field]
      ?? ReceiverValue(.noData("the receiver does not report it"), raw: nowhere)
  }

  // MARK: Reading

  /// Fills in the values it has reported, with their present status.
  func fill(_ reading: inout Reading, provider: String, at now: Int64) {
    for field in GPSField.ofEpoch {
      reading[field] = outcome(field, since: positionAt, at: now)
    }
    for field in GPSField.ofSky { reading[field] = outcome(field, since: toldAt, at: now) }
    if let mode, let positionAt {
      var fix = Outcome.ok(.string(mode >= 3 ? "3d" : mode == 2 ? "2d" : "none"))
      fix.stamp = positionAt
      fix.stampOrigin = .library
      reading[GPSField.fix] = fix.aged(since: positionAt, at: now)
    } else {
      reading[GPSField.fix] = .notRead
    }
    for field in lacks { reading[field] = .unsupported("\(provider) never reports it") }
    reading[GPSField.provider] = .ok(.string(provider))
    reading[GPSField.device] = .ok(.string(device))
  }

  private func outcome(_ field: GPSField, since moment: Int64?, at now: Int64) -> Outcome {
    guard let reported = settled[field], let moment else { return .notRead }
    return reported.outcome.aged(since: moment, at: now)
  }
}

extension PositionReport.Epoch {
  /// Whether messages of both belong to one epoch; unknown without a time.
  fileprivate func isOne(with other: Self) -> Bool {
    if self == .named(nil) && other == .named(nil) { return false }
    return self == other || self == .current || other == .current
  }
}

extension ReceiverValue {
  /// Whether a message reported it.
  fileprivate var isReported: Bool { !raw.place.isEmpty }

  fileprivate func stamped(_ moment: Int64) -> ReceiverValue {
    var copy = self
    copy.outcome.stamp = moment
    copy.outcome.stampOrigin = .library
    return copy
  }
}

extension Outcome {
  /// The same, stale if it is older than a receiver's values may be.
  fileprivate func aged(since moment: Int64, at now: Int64) -> Outcome {
    guard status == .ok, now - moment > PositionReceiver.freshness else { return self }
    var old = self
    old.status = .stale
    old.absence = Absence("no report for more than 5 s")
    return old
  }
}
