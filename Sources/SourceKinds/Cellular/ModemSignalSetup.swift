import Gathering
import Ground
import Machine

/// Has a modem measure its signal while a session updates: only if no other client has, and put
/// back afterwards (sources P5).
final class ModemSignalSetup: Sendable {
  /// What was asked of this run of the daemon.
  private struct Request {
    /// Every so many seconds; nil if nothing is asked at present.
    var rate: UInt32?
    /// All rates asked for; any other rate is another client's.
    var ours: Set<Int64> = []
    /// Whether the modem has told of our rate.
    var wasSeen = false
  }

  private struct Refusal {
    var outcome: Outcome
    var moment: Int64
    /// How often callers had looked anew by then.
    var looks: Int
  }

  private let path: String
  private let machine: Machine
  private let rateCall = RepeatedCall()
  private let request = Monitor(Request())
  /// What it last answered instead of doing so, and when.
  private let refusal = Monitor<Refusal?>(nil)
  private let callers: SignalCallers

  /// After a refusal it is asked again when so much time has passed (sources A4).
  private static let pause: Int64 = 30_000_000_000

  init(_ path: String, on machine: Machine) {
    self.path = path
    self.machine = machine
    callers = SignalCallers.of(machine)
  }

  deinit { end() }

  /// The copy of the service has changed: of a modem that has gone, nothing is to be put back.
  func noteChange() {
    if machine.view(of: ModemDaemon.service)?.object(path, ModemDaemon.signal) == nil {
      request.withLock { $0 = Request() }
    }
  }

  /// Sees to it that it measures every so many seconds, and says what stands in the way; nil if
  /// nothing does.
  func tend(every seconds: UInt32, reported: Int64) -> Outcome? {
    let isTaken = request.withLock { Self.isTaken(by: reported, &$0) }
    if isTaken {
      // A plain outcome.
      refusal.withLock { $0 = nil }
      return nil
    }
    let now = LiveClock().now.boot
    if let last = refusal.withLock({ $0 }), now - last.moment < Self.pause,
      last.looks == callers.looks
    {
      return last.outcome
    }
    if request.withLock({ $0.rate }) != seconds { ask(for: seconds) }
    // One that answers does so in a moment; who does not is looked at again next time.
    switch rateCall.reply(within: 50_000_000) {
    case nil: return .noData("the modem is about to measure")
    case .success: return nil
    case .failure(let failure): return take(failure)
    }
  }

  /// Whether another client has it measure.
  private static func isTaken(by reported: Int64, _ request: inout Request) -> Bool {
    guard reported != 0 else {
      // Our rate was there and is gone: the daemon has begun anew, or another client has ended it.
      if request.wasSeen { request = Request() }
      return false
    }
    if request.ours.contains(reported) {
      request.wasSeen = true
      return false
    }
    request = Request()
    return true
  }

  private func ask(for seconds: UInt32) {
    request.withLock { request in
      request.rate = seconds
      request.ours.insert(Int64(seconds))
    }
    rateCall.forget()
    machine.bus.map { rateCall.send(call(seconds), on: $0) }
  }

  private func take(_ failure: BusFailure) -> Outcome {
    let outcome = Outcome.from(failure, of: ModemDaemon.service)
    // What failed or was not answered in time may be done all the same; what was refused is not.
    request.withLock { request in
      if outcome.status == .failed { request.rate = nil } else { request = Request() }
    }
    let new = Refusal(outcome: outcome, moment: LiveClock().now.boot, looks: callers.looks)
    refusal.withLock { $0 = new }
    return outcome
  }

  /// Puts back what was there before, unless another client has set another rate since.
  func end() {
    let ours = request.withLock { request in
      defer { request = Request() }
      return request.ours
    }
    // A plain outcome.
    refusal.withLock { $0 = nil }
    guard !ours.isEmpty, let bus = machine.bus else { return }
    let reported = machine.view(of: ModemDaemon.service)?
      .object(path, ModemDaemon.signal)?[ModemDaemon.signal, "Rate"]?.integer
    if let reported, reported != 0, !ours.contains(reported) { return }
    rateCall.forget()
    rateCall.send(call(0), on: bus)
    // The bus may be closed right after this: the modem is to have heard it.
    _ = rateCall.reply(within: 500_000_000)
  }

  private func call(_ seconds: UInt32) -> BusCall {
    BusCall(ModemDaemon.name, path, ModemDaemon.signal, "Setup", [.uint32(seconds)])
  }
}

/// Counts how often callers have asked to look at modems anew: what was refused before counts no
/// more (sources A4).
private final class SignalCallers: LooksAnew {
  private let count = Monitor(0)

  /// The one of a machine.
  static func of(_ machine: Machine) -> SignalCallers {
    machine.attachments.attachment { SignalCallers() }
  }

  var looks: Int { count.withLock { $0 } }

  func lookAnew(at topics: [ChangeTopic]) {
    if topics.contains(.bus(ModemDaemon.service)) { count.withLock { $0 += 1 } }
  }
}
