import Ground

/// The rows of one recorded instance, played on a loop at the moments they were so.
///
/// Rows closer together than ten milliseconds come together, at the moment of the last. Where the
/// clock has no pace, and no callback hears them, those of a block of the recording do, as far as
/// nothing else is due between (`ReplayLead`).
final class ReplayStream: SampleStream {
  private struct State {
    /// The boot time up to which rows have been played.
    var played: Int64
    var timer: (any Cancellable)?
    var isCancelled = false
  }

  /// The next step of the replay.
  private enum Step {
    case wait(until: Int64)
    case end
    case fail(SourceError)
  }

  private static let longestBatch: Int64 = 10_000_000

  /// The pace of the rows is the recording's.
  var interval: Int64 { rows.interval }
  private let rows: any ReplayedRows
  /// How many samples a row has.
  private let width: Int
  private let pacer: ReplayPacer
  private var loop: VirtualLoop { pacer.loop }
  private let deliver: @Sendable (SampleBlock) -> Void
  private let ended: @Sendable (SourceError?) -> Void
  private let state: Monitor<State>

  init(
    _ rows: any ReplayedRows, width: Int, from moment: Int64, by pacer: ReplayPacer,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) {
    self.rows = rows
    self.width = width
    self.pacer = pacer
    self.deliver = deliver
    self.ended = ended
    state = Monitor(State(played: moment))
  }

  deinit {
    LockRank.expectNoLock("lets go of a stream of a replay")
    cancel()
  }

  /// Continues after a moment; also after the clock has jumped there.
  func play(from moment: Int64) {
    let timer = state.withLock { state in
      state.played = moment
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
    arm()
  }

  func cancel() {
    let timer = state.withLock { state in
      state.isCancelled = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  private func arm() {
    switch nextStep() {
    case .wait(let moment):
      let due = Moment(nanoseconds: moment)
      keep(loop.schedule(at: due) { [weak self] in self?.bring() })
    // The clock may jump back.
    case .end: tellEnd()
    case .fail(let error): ended(error)
    }
  }

  private func keep(_ timer: any Cancellable) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.timer = timer }
      return state.isCancelled
    }
    if isCancelled { timer.cancel() }
  }

  /// Reports the loss after the last row, at the present moment of the clock.
  private func tellEnd() {
    guard let loss = rows.lossAtEnd() else { return }
    let timer = loop.schedule(at: loop.now) { [weak self] in
      guard let self, !state.withLock({ $0.isCancelled }) else { return }
      var block = SampleBlock(times: [], origin: .kernel, columns: [:])
      block.loss = loss
      deliver(block)
    }
    keep(timer)
  }

  /// When the next batch is due: at its last row.
  private func nextStep() -> Step {
    let played = state.withLock { $0.played }
    do throws(SourceError) {
      guard var last = try rows.nextRow(after: played) else { return .end }
      let end = last.addingReportingOverflow(Self.longestBatch)
      let limit = end.overflow ? Int64.max : end.partialValue
      while let next = try rows.lastRow(after: last, before: limit, most: .max) { last = next }
      return .wait(until: last)
    } catch {
      return .fail(error)
    }
  }

  private func bring() {
    do throws(SourceError) {
      try goAhead()
      let now = loop.clock.now.boot
      let (played, isCancelled) = state.withLock { state in
        defer { state.played = max(now, state.played) }
        return (state.played, state.isCancelled)
      }
      if isCancelled { return }
      for block in try rows.blocks(after: played, through: now) { deliver(block) }
      arm()
    } catch {
      ended(error)
    }
  }

  /// Moves the clock to the last row that may come now.
  private func goAhead() throws(SourceError) {
    guard pacer.hasNoPace else { return }
    let room = pacer.lead.rows(of: width)
    if room == 0 { return }
    let end = loop.nextDue.map { min($0, pacer.end) } ?? pacer.end
    if let last = try rows.lastRow(after: loop.clock.now.boot, before: end, most: room) {
      loop.drift(to: last)
    }
  }
}
