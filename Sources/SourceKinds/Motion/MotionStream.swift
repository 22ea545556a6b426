import Gathering
import Ground
import Machine
import Motion

/// The buffers of a unit's devices as one stream of a kind's properties.
final class MotionStream: SampleStream {
  private enum Message {
    case block(SampleBlock)
    case end(SourceError?)
  }

  private struct State {
    var scans: [any ScanStream] = []
    var isOver = false
    var merge: MotionMerge
    var fusion: MotionFusion
    var origin = ClockOrigin.kernel
    var hasGap = false
    var latest: MotionEstimate?
    var outbox: [Message] = []
    var isDelivering = false
  }

  private struct DeviceInput {
    let device: IIODevice
    let parts: [MotionPart]
    let groups: [ScanGroup]
  }

  private let machine: Machine
  private let table: any MotionTable
  private let unit: MotionUnit
  private let inputs: [DeviceInput]
  private let deliver: @Sendable (SampleBlock) -> Void
  private let ended: @Sendable (SourceError?) -> Void
  private let state: Lock<State>

  /// Determines what the buffers can deliver; throws why that gives no attitude or heading.
  init(
    _ whole: MotionUnit, in frame: MotionFrame, on machine: Machine, table: any MotionTable,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) {
    let unit = whole.with { $0.isInBuffer(on: machine) }
    let isEnough =
      whole.has(.quaternion)
      ? unit.has(.quaternion)
      : unit.parts.count == whole.parts.count
        || (unit.has(.acceleration) && unit.lead.path == unit.part(.acceleration)?.device.path)
    guard isEnough else {
      let error = SystemError(SystemText.notSupported, at: "\(whole.lead.path)/scan_elements")
      throw .unavailable(.pollingOnly(whole.lead, error))
    }
    self.machine = machine
    self.table = table
    self.unit = unit
    self.deliver = deliver
    self.ended = ended
    var inputs: [DeviceInput] = []
    for device in unit.devices {
      let parts = unit.parts.filter { $0.device.path == device.path }
      var groups: [ScanGroup] = []
      for part in parts { groups.append(try Self.group(of: part, in: frame, on: machine)) }
      inputs.append(DeviceInput(device: device, parts: parts, groups: groups))
    }
    self.inputs = inputs
    state = Lock(
      State(merge: MotionMerge(inputs: inputs.count), fusion: MotionFusion(unit, interval: 0)))
  }

  private static func group(
    of part: MotionPart, in frame: MotionFrame, on machine: Machine
  ) throws(SourceError) -> ScanGroup {
    do throws(IIOChannel.Unreadable) {
      let groups = try SensorChannels(part.plan(in: frame), on: machine).groups([0])
      return groups[0]
    } catch {
      let code = error.outcome.absence?.errno ?? 0
      let reason = SystemError(code == 0 ? SystemText.invalid : code, at: part.device.path)
      throw .unavailable(.pollingOnly(part.device, reason))
    }
  }

  /// The time between two samples of the pacemaker in nanoseconds; 0 if unknown. Another kind may
  /// have its device run faster meanwhile.
  var interval: Int64 { pacemaker?.interval ?? 0 }

  /// The filter gets the samples it needs; a session with a longer interval gets the requested one.
  func granted(for asked: Int64) -> Int64 {
    guard let pacemaker else { return asked }
    let isFree = unit.method == .hardware || asked <= Self.longestStep
    return isFree ? pacemaker.granted(for: asked) : max(asked, pacemaker.interval)
  }

  /// Feeds the same filter faster: its state is kept.
  func quicken(to interval: Int64) throws(SourceError) {
    for (input, scans) in zip(inputs, state.withLock { $0.scans }) {
      do throws(SystemError) {
        try scans.quicken(to: step(for: interval))
      } catch {
        throw .unavailable(.pollingOnly(input.device, error))
      }
    }
  }

  private var pacemaker: (any ScanStream)? { state.withLock { $0.scans.first } }

  /// The interval requested of the devices: a filter needs fifty samples per second.
  private func step(for interval: Int64) -> Int64 {
    unit.method == .hardware ? interval : min(interval, Self.longestStep)
  }

  private static let longestStep: Int64 = 20_000_000

  /// Whether samples may still come.
  var isRunning: Bool { state.withLock { !$0.scans.isEmpty && !$0.isOver } }

  /// The last estimate.
  var latest: MotionEstimate? { state.withLock(\.latest) }

  /// Opens all buffers, or none.
  func open(every interval: Int64, on loop: any Loop) throws(SourceError) {
    guard let opener = machine.iio.scans else {
      let error = SystemError(SystemText.noSystemCall, at: "/dev/\(unit.lead.kernelName)")
      throw .unavailable(.pollingOnly(unit.lead, error))
    }
    let wanted = step(for: interval)
    for (index, input) in inputs.enumerated() {
      let request = ScanRequest(
        device: input.device.path, groups: input.groups, interval: wanted)
      do throws(SystemError) {
        let scans = try opener.open(
          request, on: loop, deliver: { [weak self] in self?.take($0, of: index) },
          ended: { [weak self] in self?.end($0, of: index) })
        keep(scans)
      } catch {
        cancel()
        throw .unavailable(.pollingOnly(input.device, error))
      }
    }
  }

  private func keep(_ scans: any ScanStream) {
    let interval = scans.interval
    let isOver = state.withLock { state in
      // The first is the pacemaker's.
      if state.scans.isEmpty { state.fusion.expect(every: Double(interval) / 1e9) }
      state.scans.append(scans)
      return state.isOver
    }
    if isOver { scans.cancel() }
  }

  func cancel() {
    let scans = state.withLock { state in
      state.isOver = true
      // Plain samples.
      state.outbox.removeAll()
      return state.scans
    }
    for one in scans { one.cancel() }
  }

  private func take(_ scans: ScanBlock, of input: Int) {
    let quantities = inputs[input].parts.map(\.quantity)
    let interval = interval
    state.withLock { state in
      guard !state.isOver else { return }
      if scans.stamp == .arrival { state.origin = .library }
      if scans.hasGap { state.hasGap = true }
      state.merge.append(scans, of: quantities, to: input)
      drain(&state, every: interval)
    }
    send()
  }

  /// Runs the filter over the samples that are in order now.
  private func drain(_ state: inout State, every interval: Int64) {
    var rows: [MotionEstimate] = []
    var fusion = state.fusion
    state.merge.drain(at: machine.clock.now.boot) { sample in
      if let row = fusion.take(sample) { rows.append(row) }
    }
    state.fusion = fusion
    guard let last = rows.last else { return }
    state.latest = last
    var block = SampleBlock(
      times: rows.map(\.latest.time), origin: state.origin,
      columns: table.columns(of: rows, interval: interval), hasGap: state.hasGap)
    block.absences = table.absences(of: rows)
    block.condition = table.condition(last)
    state.hasGap = false
    state.outbox.append(.block(block))
  }

  private func end(_ error: SystemError?, of input: Int) {
    let interval = interval
    state.withLock { state in
      guard !state.isOver else { return }
      state.merge.end(input)
      drain(&state, every: interval)
      if let error {
        state.outbox.append(.end(.io(errno: error.code, place: error.place)))
      } else if state.merge.isEnded {
        state.outbox.append(.end(nil))
      }
    }
    send()
  }

  /// Delivers the queued blocks, one call at a time, on any device's thread.
  private func send() {
    while true {
      let message: Message? = state.withLock { state in
        guard !state.isDelivering, !state.isOver, !state.outbox.isEmpty else { return nil }
        state.isDelivering = true
        return state.outbox.removeFirst()
      }
      switch message {
      case nil: return
      case .block(let block): deliver(block)
      case .end(let error):
        cancel()
        ended(error)
      }
      state.withLock { $0.isDelivering = false }
    }
  }
}
