import Gathering
import Streams
import Values

/// Ticks on a grid of boot time (streams L44–L46).
struct ClockPatch: LibraryKind, TimedPatchKind {
  static let type = "clock"
  static let summary = "Ticks: their numbers from 0, and their moments."
  static let inputs: [PortDescription] = []
  static let outputs = [PortDescription("tick", .int), PortDescription("time", .time)]
  static let options = [PortDescription("interval", .double, unit: "s")]
  static let sleepsUnobserved = true

  private var interval: Int64?
  /// When the grid begins; nil until the first listener comes.
  private var start: Int64?
  private var next: Int64?
  private var last: Int64?

  init() {}

  var due: Int64? { next }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let new = max(try value.duration(of: option), 1000)
    if let start, interval != nil, let next {
      // The new grid begins where the old one would have ticked.
      self.start = interval == new ? start : next
    }
    interval = new
  }

  mutating func wakeUp(at now: Int64) {
    guard let interval else { return }
    let start = self.start ?? now.later(by: interval)
    self.start = start
    let passed = now > start ? (now - start + interval - 1) / interval : 0
    next = start.later(by: passed.multipliedReportingOverflow(by: interval).partialValue)
    if let last, let next, next <= last { self.next = last.later(by: interval) }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {}

  mutating func fire(at now: Int64, _ publish: (String, Sample) -> Void) {
    guard let interval, let start, let due = next, now >= due else { return }
    let index = max(0, (now - start) / interval)
    let moment = start.later(by: index * interval)
    publish("tick", Sample(.int(index), time: moment))
    publish("time", Sample(.time(moment), time: moment))
    last = moment
    next = moment.later(by: interval)
  }
}

extension Int64 {
  /// A moment some nanoseconds later, or the end of time.
  fileprivate func later(by nanoseconds: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }
}
