import Machine
import Motion

/// Puts the scans of several devices into the order of their times.
struct MotionMerge: Sendable {
  private struct Lane {
    var waiting: [MotionSample] = []
    var next = 0
    var newest: Int64?
    /// Since when the others have been waiting for it, as far as they have.
    var awaited: Int64?
    var isEnded = false
  }

  private var lanes: [Lane]

  /// How long, by the clock on the wall, scans wait for a device that is behind.
  ///
  /// It may only be fetched late: what was measured in a second that the computer was busy comes
  /// device after device.
  static let patience: Int64 = 500_000_000
  /// How far the scans of a device that is waited for no more may be behind.
  static let lag: Int64 = 250_000_000
  /// How many scans of one device may wait.
  static let capacity = 65_536

  /// A merge of the scans of so many devices.
  init(lanes count: Int) {
    lanes = [Lane](repeating: Lane(), count: count)
  }

  /// Whether no device has more to say.
  var isEnded: Bool { lanes.allSatisfy(\.isEnded) }

  /// Takes in the scans of one device, whose columns are these quantities.
  mutating func append(_ scans: ScanBlock, of quantities: [MotionPart.Quantity], to lane: Int) {
    let count = scans.times.count
    let widths = scans.columns.map { count == 0 ? 0 : $0.count / count }
    for row in 0..<count {
      var sample = MotionSample(at: scans.times[row])
      for (index, quantity) in quantities.enumerated() where index < widths.count {
        let width = widths[index]
        sample.set(quantity, scans.columns[index][row * width..<(row + 1) * width])
      }
      lanes[lane].waiting.append(sample)
      lanes[lane].newest = max(lanes[lane].newest ?? .min, sample.time)
    }
    lanes[lane].awaited = nil
  }

  /// No more scans come of a device.
  mutating func end(_ lane: Int) { lanes[lane].isEnded = true }

  /// Hands out, in the order of time, whatever nothing earlier can still come before; `now` on any
  /// clock that goes on.
  mutating func drain(at now: Int64, _ take: (MotionSample) -> Void) {
    let horizon = horizon(at: now)
    while true {
      var first: (lane: Int, time: Int64)?
      for index in lanes.indices where lanes[index].next < lanes[index].waiting.count {
        let time = lanes[index].waiting[lanes[index].next].time
        // Of equal times the pacemaker's comes last, so that its row has the others' news.
        if first.map({ time < $0.time || (time == $0.time && $0.lane == 0) }) ?? true {
          first = (index, time)
        }
      }
      guard let first, first.time <= horizon else { break }
      take(lanes[first.lane].waiting[lanes[first.lane].next])
      lanes[first.lane].next += 1
    }
    for index in lanes.indices {
      lanes[index].waiting.removeFirst(lanes[index].next)
      lanes[index].next = 0
    }
  }

  /// Up to when every device that is waited for has spoken.
  private mutating func horizon(at now: Int64) -> Int64 {
    guard let latest = lanes.compactMap(\.newest).max() else { return .min }
    if lanes.contains(where: { $0.waiting.count > Self.capacity }) { return latest }
    let (limit, _) = latest.subtractingReportingOverflow(Self.lag)
    var horizon = latest
    for index in lanes.indices where !lanes[index].isEnded {
      let newest = lanes[index].newest ?? .min
      guard newest < latest else { continue }
      let since = lanes[index].awaited ?? now
      lanes[index].awaited = since
      horizon = min(horizon, now - since < Self.patience ? newest : max(newest, limit))
    }
    return horizon
  }
}
