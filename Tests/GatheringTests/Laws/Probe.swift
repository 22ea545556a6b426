import Gathering
import GatheredKitTesting
import Machine
import Synchronization

/// A kind with one instance whose readings and streams the test brings about itself.
struct Probe: SourceKind {
  let kind = "probe"
  let name = "Probe"
  let properties = [
    Property("field", .vector(components: ["x", "y", "z"]), unit: "T", .continuous),
    Property("word", .string, .onChange),
    Property("other", .int, unit: "1", .continuous),
    Property("offset", .double, unit: "1", .onChange, .config, range: -100...100),
    Property("relative", .double, unit: "1", .continuous, .derived),
  ]
  let intervals = Intervals(seconds: 1, minimum: 0.001)
  let device: ProbeDevice

  func discover(on machine: Machine) -> Discovery {
    let path = device.get(\.path)
    let available = Availability(.available, backend: "test")
    return Discovery(
      path.map { [Instance("p", availability: available, path: $0)] } ?? [],
      orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    ProbeReader(device)
  }

  func adapts(to session: SessionFacts) -> Bool { true }

  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    let now = reading[0].value.vector?.x ?? 0
    let first = session.first?[0].value.vector?.x ?? now
    let offset = session.settings[3]?.number ?? 0
    reading[4] = .ok(.double(now - first + offset))
  }
}

/// What a probe's reader and streams are told and tell.
final class ProbeDevice: Sendable {
  struct State: Sendable {
    /// Where it is; nil while it is away.
    var path: String? = "/one"
    var opened: [Int64] = []
    var cancelled = 0
    var reads = 0
    /// What opening a stream throws.
    var refusal: SourceError?
    var interval: Int64 = 10_000_000
    var mayBlock = false
    /// How long a reading takes, in nanoseconds.
    var delay: Int64 = 0
    var deliver: (@Sendable (SampleBlock) -> Void)?
    var ended: (@Sendable (SourceError?) -> Void)?
  }
  let state = Monitor(State())

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
  func get<Answer>(_ look: (State) -> Answer) -> Answer { state.withLock { look($0) } }

  /// Brings rows `step` apart, x counting on from `first`.
  func bring(_ count: Int, from first: Int, at start: Int64, step: Int64 = 10_000_000) {
    let numbers = (0..<count).flatMap { row -> [Double] in [Double(first + row), 0.5, -1] }
    let times = (0..<count).map { start + Int64($0) * step }
    bring(
      SampleBlock(times: times, origin: .kernel, columns: [0: .numbers(numbers, width: 3)]))
  }

  func bring(_ block: SampleBlock) { get(\.deliver)?(block) }
  func end(_ error: SourceError?) { get(\.ended)?(error) }
}

private final class ProbeReader: StreamingReader {
  let device: ProbeDevice
  let streamsBelow: Int64 = 100_000_000
  var mayBlock: Bool { device.get(\.mayBlock) }

  init(_ device: ProbeDevice) { self.device = device }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let delay = device.get(\.delay)
    if delay > 0 {
      _ = Monitor(false).wait(until: Monitor<Bool>.moment(after: delay)) { $0 ? true : nil }
    }
    device.set { $0.reads += 1 }
    // What the stream brings is left to it where reading takes long.
    let isLeft = request.isStreaming && mayBlock
    reading[0] = isLeft ? .notRead : .ok(.vector(Vector(-1, 0, 0)))
    reading[1] = .ok(.string("polled"))
    reading[2] = .ok(.int(7))
    reading[3] = .noData("not set")
    reading[4] = .noData("belongs to the session")
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    if let refusal = device.get(\.refusal) { throw refusal }
    device.set { state in
      state.opened.append(interval)
      state.deliver = deliver
      state.ended = ended
    }
    return ProbeStream(device: device, interval: device.get(\.interval))
  }
}

private struct ProbeStream: SampleStream {
  let device: ProbeDevice
  let interval: Int64
  func cancel() { device.set { $0.cancelled += 1 } }
}

/// A context on an empty machine with a probe, under a clock the test moves.
struct ProbeContext {
  let device = ProbeDevice()
  let context: Context
  private let fixture: FixtureMachine

  init() throws {
    fixture = try FixtureMachine()
    context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [Probe(device: device)])
  }

  func open() throws -> (source: Source, diary: Diary) {
    let source = try context.open("probe")
    return (source, Diary(source))
  }

  func deliver() throws { while try context.dispatch(timeout: 0) > 0 {} }
  func seek(_ seconds: Double) throws { try context.seek(to: Int64(seconds * 1e9)) }
}

extension Update {
  /// The first components of the vectors, row by row.
  var counts: [Double] { rows.map { $0[0].value.vector?.x ?? .nan } }
}
