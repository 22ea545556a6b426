import Glibc
import Ground

/// A captured file being played on a loop.
final class CapturedScanStream: ScanStream {
  private struct State {
    var records: CapturedRecords
    var order = ScanOrder()
    /// The first stamp of the file, which is dated at the start.
    var firstStamp: Int64?
    /// How many records came before those loaded, and how many of these are done.
    var before: Int64 = 0
    var done = 0
    var timer: (any Cancellable)?
    var isCancelled = false
  }

  private enum Step {
    case play([ScanBlock], next: Int64)
    case finish([ScanBlock], SystemError?)
    case nothing
  }

  let interval: Int64
  private let start: Int64
  private let loop: any Loop
  private let deliver: @Sendable (ScanBlock) -> Void
  private let ended: @Sendable (SystemError?) -> Void
  private let state: Monitor<State>

  init(
    records: sending CapturedRecords, start: Int64, interval: Int64, loop: any Loop,
    deliver: @escaping @Sendable (ScanBlock) -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) {
    self.start = start
    self.interval = interval
    self.loop = loop
    self.deliver = deliver
    self.ended = ended
    state = Monitor(State(records: records), rank: .device)
  }

  func begin() {
    arm(at: start)
  }

  func cancel() {
    let timer = state.withLock { state in
      state.isCancelled = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  private func arm(at moment: Int64) {
    let timer = loop.schedule(at: Moment(nanoseconds: moment)) { [self] in play() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.timer = timer }
      return state.isCancelled
    }
    if isCancelled { timer.cancel() }
  }

  private func play() {
    let now = loop.clock.now.boot
    switch state.withLock({ step(&$0, by: now) }) {
    case .nothing: break
    case .play(let blocks, let next):
      give(blocks)
      arm(at: next)
    case .finish(let blocks, let error):
      give(blocks)
      if !isCancelled { ended(error) }
    }
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func give(_ blocks: [ScanBlock]) {
    for block in blocks where !isCancelled { deliver(block) }
  }

  /// Takes all that is due.
  private func step(_ state: inout State, by now: Int64) -> Step {
    if state.isCancelled { return .nothing }
    var blocks: [ScanBlock] = []
    while true {
      let times = times(&state)
      let first = state.done
      let end = times[first...].firstIndex { $0 > now } ?? times.count
      if end > first {
        let block = ScanBlock(
          times: times, stamp: state.records.hasStamps ? .kernel : .arrival,
          columns: state.records.columns, hasGap: false)
        for run in state.order.runs(of: Array(times[first..<end])) {
          let rows = run.rows.lowerBound + first..<run.rows.upperBound + first
          blocks.append(block.cut(to: ScanOrder.Run(rows: rows, hasGap: run.hasGap)))
        }
        state.done = end
      }
      if end < times.count { return .play(blocks, next: times[end]) }
      state.before += Int64(times.count)
      state.done = 0
      do throws(SystemError) {
        try state.records.load()
      } catch {
        return .finish(blocks, error)
      }
      if state.records.count == 0 { return .finish(blocks, nil) }
    }
  }

  /// When the loaded records are due, which is also their time.
  private func times(_ state: inout State) -> [Int64] {
    guard state.records.hasStamps else {
      return (0..<state.records.count).map { start &+ (state.before + Int64($0)) &* interval }
    }
    let first = state.firstStamp ?? state.records.stamps.first ?? 0
    state.firstStamp = first
    return state.records.stamps.map { stamp in
      let (since, wraps) = stamp.subtractingReportingOverflow(first)
      let (time, runsOver) = start.addingReportingOverflow(since)
      return wraps || runsOver ? (stamp > first ? .max : .min) : time
    }
  }
}
