import Machine
import Motion

/// Puts the scans of several devices into the order of their times.
struct MotionMerge: Sendable {
  private struct Lane {
    var waiting: [MotionSample] = []
    var next = 0
    var newest: Int64?
    var isEnded = false
  }

  private var lanes: [Lane]

  /// How far one device's scans may be behind another's before nobody waits for them, and how many
  /// scans may wait.
  static let patience: Int64 = 250_000_000
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
  }

  /// No more scans come of a device.
  mutating func end(_ lane: Int) { lanes[lane].isEnded = true }

  /// Hands out, in the order of time, whatever nothing earlier can still come before.
  mutating func drain(_ take: (MotionSample) -> Void) {
    let horizon = self.horizon
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

  /// Up to when every device that is not far behind has spoken.
  private var horizon: Int64 {
    guard let latest = lanes.compactMap(\.newest).max() else { return .min }
    if lanes.contains(where: { $0.waiting.count > Self.capacity }) { return latest }
    let speaking = lanes.filter { !$0.isEnded }
    let (limit, _) = latest.subtractingReportingOverflow(Self.patience)
    let earliest = speaking.map { lane in lane.newest.map { max($0, limit) } ?? limit }.min()
    return earliest ?? latest
  }
}
