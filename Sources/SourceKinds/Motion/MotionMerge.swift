import Machine
import Motion

/// Puts the scans of several devices into the order of their times.
struct MotionMerge: Sendable {
  private struct Input {
    var waiting: [MotionSample] = []
    var next = 0
    var newest: Int64?
    /// Since when the others have been waiting for it, as far as they have.
    var awaited: Int64?
    var isEnded = false
  }

  private var inputs: [Input]

  /// How long, in real time, scans wait for a device that is behind, in nanoseconds.
  ///
  /// Its data may only be fetched late: scans of a second in which the computer was busy arrive one
  /// device after another.
  static let patience: Int64 = 500_000_000
  /// How far the scans of a device that is waited for no more may be behind.
  static let lag: Int64 = 250_000_000
  /// How many scans of one device may wait.
  static let capacity = 65_536

  /// Makes a merge of the scans of `inputs` devices.
  init(inputs count: Int) {
    inputs = [Input](repeating: Input(), count: count)
  }

  /// Whether all devices have ended.
  var isEnded: Bool { inputs.allSatisfy(\.isEnded) }

  /// Adds the scans of one device, whose columns are these quantities.
  mutating func append(_ scans: ScanBlock, of quantities: [MotionPart.Quantity], to input: Int) {
    let count = scans.times.count
    let widths = scans.columns.map { count == 0 ? 0 : $0.count / count }
    for row in 0..<count {
      var sample = MotionSample(at: scans.times[row])
      for (index, quantity) in quantities.enumerated() where index < widths.count {
        let width = widths[index]
        sample.set(quantity, scans.columns[index][row * width..<(row + 1) * width])
      }
      inputs[input].waiting.append(sample)
      inputs[input].newest = max(inputs[input].newest ?? .min, sample.time)
    }
    inputs[input].awaited = nil
  }

  /// No more scans come of a device.
  mutating func end(_ input: Int) { inputs[input].isEnded = true }

  /// Passes on, in the order of time, all samples that no earlier one can precede; `now` is on any
  /// clock that does not stop.
  mutating func drain(at now: Int64, _ take: (MotionSample) -> Void) {
    let horizon = horizon(at: now)
    while true {
      var first: (input: Int, time: Int64)?
      for index in inputs.indices where inputs[index].next < inputs[index].waiting.count {
        let time = inputs[index].waiting[inputs[index].next].time
        // Of equal times the pacemaker's comes last, so that its row has the others' news.
        if first.map({ time < $0.time || (time == $0.time && $0.input == 0) }) ?? true {
          first = (index, time)
        }
      }
      guard let first, first.time <= horizon else { break }
      take(inputs[first.input].waiting[inputs[first.input].next])
      inputs[first.input].next += 1
    }
    for index in inputs.indices {
      inputs[index].waiting.removeFirst(inputs[index].next)
      inputs[index].next = 0
    }
  }

  /// Up to when every device that is waited for has spoken.
  private mutating func horizon(at now: Int64) -> Int64 {
    guard let latest = inputs.compactMap(\.newest).max() else { return .min }
    if inputs.contains(where: { $0.waiting.count > Self.capacity }) { return latest }
    let (limit, _) = latest.subtractingReportingOverflow(Self.lag)
    var horizon = latest
    for index in inputs.indices where !inputs[index].isEnded {
      let newest = inputs[index].newest ?? .min
      guard newest < latest else { continue }
      let since = inputs[index].awaited ?? now
      inputs[index].awaited = since
      horizon = min(horizon, now - since < Self.patience ? newest : max(newest, limit))
    }
    return horizon
  }
}
