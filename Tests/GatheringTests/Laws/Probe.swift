import GatheredKitTesting
import Gathering
import Ground
import Machine
import Values

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
  var topics: [ChangeTopic] = []
  let device: ProbeDevice

  func discover(on machine: Machine) -> Discovery {
    let path = device.get(\.path)
    let available = Availability(.available, backend: topics.isEmpty ? "test" : "iio")
    return Discovery(
      path.map { [Instance("p", availability: available, path: $0)] } ?? [],
      orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if let refusal = device.get(\.claimRefusal) { throw refusal }
    return ProbeReader(device)
  }

  func adapts(to session: SessionFacts) -> Bool { device.get(\.isPersonal) }

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
    /// What a claim throws.
    var claimRefusal: SourceError?
    /// The errno every reading fails with.
    var failure: Int32?
    /// What opening a stream throws.
    var refusal: SourceError?
    var refusals = 0
    var interval: Int64 = 10_000_000
    /// The intervals its streams can be set to; without any they have the one.
    var choices: [Int64] = []
    /// Those that running streams were set to.
    var quickened: [Int64] = []
    /// What a reading finds in the field, and what happens meanwhile.
    var polled = -1.0
    var onRead: (@Sendable () -> Void)?
    var mayBlock = false
    /// Whether sessions have values of their own.
    var isPersonal = true
    /// Whether readings take until this is false.
    var isHeld = false
    var deliver: (@Sendable (SampleBlock) -> Void)?
    var ended: (@Sendable (SourceError?) -> Void)?
  }
  let state = Monitor(State())

  func set(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    state.signalAll()
  }
  func get<Answer>(_ look: (State) -> Answer) -> Answer { state.withLock { look($0) } }

  /// Brings rows `step` apart, x counting on from `first`.
  func bring(_ count: Int, from first: Int, at start: Int64, step: Int64 = 10_000_000) {
    let numbers = (0..<count).flatMap { row -> [Double] in [Double(first + row), 0.5, -1] }
    let times = (0..<count).map { start + Int64($0) * step }
    bring(
      SampleBlock(times: times, origin: .kernel, columns: [0: .numbers(numbers, width: 3)]))
  }

  /// The interval granted for one asked for.
  func granted(for asked: Int64) -> Int64 {
    let (choices, present) = get { ($0.choices, $0.interval) }
    if choices.isEmpty { return max(asked, present) }
    return choices.filter { $0 <= asked }.max() ?? choices.min() ?? present
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
    _ = device.state.wait { $0.isHeld ? nil : true }
    device.set { $0.reads += 1 }
    device.get(\.onRead)?()
    // What the stream brings is left to it where reading takes long.
    let isLeft = request.isStreaming && mayBlock
    reading[0] = isLeft ? .notRead : .ok(.vector(Vector(device.get(\.polled), 0, 0)))
    reading[1] = .ok(.string("polled"))
    reading[2] = .ok(.int(7))
    reading[3] = .noData("not set")
    reading[4] = .noData("belongs to the session")
    guard let failure = device.get(\.failure) else { return }
    for index in reading.indices { reading[index] = .failed("it fails", errno: failure) }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    if let refusal = device.get(\.refusal) {
      device.set { $0.refusals += 1 }
      throw refusal
    }
    let granted = device.granted(for: interval)
    device.set { state in
      state.opened.append(interval)
      if !state.choices.isEmpty { state.interval = granted }
      state.deliver = deliver
      state.ended = ended
    }
    return ProbeStream(device: device)
  }
}

private struct ProbeStream: SampleStream {
  let device: ProbeDevice
  var interval: Int64 { device.get(\.interval) }

  func granted(for asked: Int64) -> Int64 { device.granted(for: asked) }

  func quicken(to interval: Int64) throws(SourceError) {
    if device.get(\.choices).isEmpty { return }
    if let refusal = device.get(\.refusal) { throw refusal }
    let granted = granted(for: interval)
    device.set { state in
      state.quickened.append(interval)
      state.interval = granted
    }
  }

  func cancel() { device.set { $0.cancelled += 1 } }
}

/// A context on an empty machine with a probe, under a clock the test moves.
struct ProbeContext {
  let device = ProbeDevice()
  let context: Context
  private let fixture: FixtureMachine

  /// On another machine it is an IIO device.
  init(on nature: Machine.Nature = .captured) throws {
    fixture = try FixtureMachine(nature: nature)
    let topics: [ChangeTopic] = nature == .remote ? [.devices(subsystem: "iio")] : []
    context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [Probe(topics: topics, device: device)])
  }

  func open() throws -> (source: Source, diary: Diary) {
    let source = try context.open("probe")
    return (source, Diary(source))
  }

  func deliver() throws { while try context.dispatch(timeout: 0) > 0 {} }
  /// Moves the clock without delivering what it brings.
  func hold(until seconds: Double) throws { fixture.loop.advance(to: Int64(seconds * 1e9)) }
  func seek(_ seconds: Double) throws { try context.seek(to: Int64(seconds * 1e9)) }
}

extension SourceUpdate {
  /// The first components of the vectors, row by row.
  var counts: [Double] { rows.map { $0[0].value.vector?.x ?? .nan } }
}
