import Gathering
import Ground
import Machine

/// Has a modem measure its signal while a session updates: only if no other client has, and put
/// back afterwards (sources P5).
final class ModemSignalSetup: Sendable {
  /// The request to the present instance of the daemon.
  private struct Request {
    /// The interval in seconds; nil if nothing is requested at present.
    var rate: UInt32?
    /// All rates we requested; any other rate is another client's.
    var ours: Set<Int64> = []
    /// Whether the modem has reported our rate.
    var wasSeen = false
  }

  private struct Refusal {
    var outcome: Outcome
    var moment: Int64
    /// How many times callers had requested a retry by then.
    var looks: Int
  }

  private let path: String
  private let machine: Machine
  private let rateCall = RepeatedCall()
  private let request = Monitor(Request())
  /// Its last refusal, and when.
  private let refusal = Monitor<Refusal?>(nil)
  private let callers: SignalCallers

  /// The time after a refusal until the next request, in nanoseconds (sources A4).
  private static let pause: Int64 = 30_000_000_000

  init(_ path: String, on machine: Machine) {
    self.path = path
    self.machine = machine
    callers = SignalCallers.of(machine)
  }

  deinit { end() }

  /// The view of the service has changed: for a removed modem nothing has to be restored.
  func noteChange() {
    if machine.view(of: ModemDaemon.service)?.object(path, ModemDaemon.signal) == nil {
      request.withLock { $0 = Request() }
    }
  }

  /// Makes the modem measure at an interval in seconds; returns the obstacle, nil if there is none.
  func tend(every seconds: UInt32, reported: Int64) -> Outcome? {
    let isTaken = request.withLock { Self.isTaken(by: reported, &$0) }
    if isTaken {
      // A plain outcome.
      refusal.withLock { $0 = nil }
      return nil
    }
    let now = LiveTime().now.boot
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
      // Our rate was set and is gone: the daemon was restarted, or another client has changed it.
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
    // A request that failed or timed out may have taken effect; a refused one has not.
    request.withLock { request in
      if outcome.status == .failed { request.rate = nil } else { request = Request() }
    }
    let new = Refusal(outcome: outcome, moment: LiveTime().now.boot, looks: callers.looks)
    refusal.withLock { $0 = new }
    return outcome
  }

  /// Restores the previous rate, unless another client has set another one since.
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
    // The bus may be closed right after this: waits until the modem has received the call.
    _ = rateCall.reply(within: 500_000_000)
  }

  private func call(_ seconds: UInt32) -> BusCall {
    BusCall(ModemDaemon.name, path, ModemDaemon.signal, "Setup", [.uint32(seconds)])
  }
}

/// Counts the requests to retry modems, after which earlier refusals no longer count (sources A4).
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
