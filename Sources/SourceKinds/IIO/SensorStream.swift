import Gathering
import Ground
import Machine
import Values

/// A sensor's buffer as a stream of its properties.
final class SensorStream: SampleStream {
  private struct State {
    var scans: (any ScanStream)?
    var isEnded = false
    /// When the factors were last looked at.
    var lastLook: Int64?
  }

  private let plan: SensorPlan
  private let machine: Machine
  private let rule: (any SensorRule)?
  private let deliver: @Sendable (SampleBlock) -> Void
  private let ended: @Sendable (SourceError?) -> Void
  private let positions: [Int]
  private let groups: [ScanGroup]
  private let state = Lock(State())

  /// Determines which columns the buffer can deliver; throws if there are none.
  init(
    _ plan: SensorPlan, on machine: Machine, rule: (any SensorRule)?,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) {
    self.plan = plan
    self.machine = machine
    self.rule = rule
    self.deliver = deliver
    self.ended = ended
    positions = BufferedChannels(of: plan.device, on: machine).positions(in: plan)
    guard !positions.isEmpty, positions.starts(with: 0..<plan.mustStream) else {
      let error = SystemError(SystemText.notSupported, at: "\(plan.device.path)/scan_elements")
      throw .unavailable(.pollingOnly(plan.device, error))
    }
    do throws(IIOChannel.Unreadable) {
      groups = try SensorChannels(plan, on: machine).groups(positions)
    } catch {
      let code = error.outcome.absence?.errno ?? 0
      let reason = SystemError(code == 0 ? SystemText.invalid : code, at: plan.device.path)
      throw .unavailable(.pollingOnly(plan.device, reason))
    }
  }

  /// The time between two samples in nanoseconds; 0 if unknown.
  var interval: Int64 { state.withLock { $0.scans }?.interval ?? 0 }

  func granted(for asked: Int64) -> Int64 {
    state.withLock { $0.scans }?.granted(for: asked) ?? asked
  }

  func quicken(to interval: Int64) throws(SourceError) {
    do throws(SystemError) {
      try state.withLock { $0.scans }?.quicken(to: interval)
    } catch {
      throw .unavailable(.pollingOnly(plan.device, error))
    }
  }

  /// Whether samples may still come.
  var isRunning: Bool { state.withLock { $0.scans != nil && !$0.isEnded } }

  /// Opens the buffer.
  func open(every interval: Int64, on loop: any Loop) throws(SourceError) {
    guard let opener = machine.iio.scans else {
      let error = SystemError(SystemText.noSystemCall, at: "/dev/\(plan.device.kernelName)")
      throw .unavailable(.pollingOnly(plan.device, error))
    }
    let request = ScanRequest(device: plan.device.path, groups: groups, interval: interval)
    let scans: any ScanStream
    do throws(SystemError) {
      scans = try opener.open(
        request, on: loop, deliver: { [weak self] in self?.take($0) },
        ended: { [weak self] in self?.end($0) })
    } catch {
      throw .unavailable(.pollingOnly(plan.device, error))
    }
    let isEnded = state.withLock { state in
      state.scans = scans
      return state.isEnded
    }
    if isEnded { scans.cancel() }
  }

  func cancel() {
    let scans = state.withLock { state in
      state.isEnded = true
      return state.scans
    }
    scans?.cancel()
  }

  private func take(_ scans: ScanBlock) {
    guard let last = scans.times.last, scans.columns.count == groups.count else { return }
    if isDueForALook(at: last) && hasOtherFactors {
      // Another scale is another buffer, not another source: the library opens it at once.
      cancelOnce { $0(.io(errno: SystemText.tryAgain, place: self.plan.device.path)) }
      return
    }
    if state.withLock(\.isEnded) { return }
    var columns: [Int: SampleBlock.Column] = [:]
    for (index, position) in positions.enumerated() {
      columns[plan.columns[position].property] = .numbers(
        scans.columns[index], width: groups[index].width)
    }
    addTail(to: &columns)
    var block = SampleBlock(
      times: scans.times, origin: scans.stamp == .kernel ? .kernel : .library, columns: columns,
      hasGap: scans.hasGap)
    rule?.derive(&block)
    deliver(block)
  }

  private func addTail(to columns: inout [Int: SampleBlock.Column]) {
    let interval = self.interval
    if interval > 0 {
      let rate = Outcome.ok(.double(1e9 / Double(interval)))
      columns[plan.tail] = .runs([SampleBlock.Run(from: 0, rate)])
    }
    columns[plan.tail + SensorTail.Field.acquisition.rawValue] = .runs([
      SampleBlock.Run(from: 0, .ok(.string("stream")))
    ])
  }

  private func end(_ error: SystemError?) {
    cancelOnce { ended in
      guard let error else { return ended(nil) }
      ended(.io(errno: error.code, place: error.place))
    }
  }

  private func cancelOnce(_ tell: (@Sendable (SourceError?) -> Void) -> Void) {
    let (isFirst, scans) = state.withLock { state in
      defer { state.isEnded = true }
      return (!state.isEnded, state.scans)
    }
    guard isFirst else { return }
    scans?.cancel()
    tell(ended)
  }

  /// Once a second of the samples' time.
  private func isDueForALook(at time: Int64) -> Bool {
    state.withLock { state in
      guard let last = state.lastLook else {
        state.lastLook = time
        return false
      }
      if time - last < 1_000_000_000 { return false }
      state.lastLook = time
      return true
    }
  }

  /// Whether scale, offset or mount matrix are no longer those the buffer was opened with.
  private var hasOtherFactors: Bool {
    guard let now = try? SensorChannels(plan, on: machine).groups(positions) else { return false }
    return now != groups
  }
}

extension Availability {
  /// Available, but without a stream: why there is no buffer, and the remedy.
  static func pollingOnly(_ device: IIODevice, _ error: SystemError) -> Availability {
    let remedy =
      switch error.code {
      case SystemText.accessDenied, SystemText.notPermitted:
        "install the udev rule 90-gatheredkit-iio.rules and add yourself to group gathered"
      case SystemText.busy: Self.remedy(forHeld: device)
      case _ where error.place.hasPrefix("libiio"): "install libiio0"
      default: "ask for an interval of 0.1 s or more, which needs no buffer"
      }
    return Availability(
      .available, backend: "iio", detail: "polling only", errno: error.code, remedy: remedy)
  }
}
