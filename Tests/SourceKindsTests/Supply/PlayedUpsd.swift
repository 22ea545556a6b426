import GatheredKitTesting
import Gathering
import Ground
import Machine

@testable import SourceKinds

/// An upsd that the test plays: it answers each question at once, with what it was told to say.
final class PlayedUpsd: LineLink {
  private struct State {
    var answers: [String: [String]] = [:]
    var receive: (@Sendable (LineEvent) -> LineResponse)?
    var asked: [String] = []
    var openings = 0
    var patience: Int64?
    var refusal: Int32?
  }

  private let state = Monitor(State())
  /// Where events happen, in order: never on the thread of a caller.
  private let worker = SerialWorker(named: "played-upsd")

  /// What was asked so far, without the line feed.
  var asked: [String] { state.withLock { $0.asked } }
  var openings: Int { state.withLock { $0.openings } }
  var isOpen: Bool { state.withLock { $0.receive != nil } }
  /// How long `silence` is waited for, as the last response said.
  var patience: Int64? { state.withLock { $0.patience } }

  /// What a question is answered with from now on; nothing for no lines.
  func answer(_ question: String, _ lines: [String]) {
    state.withLock { $0.answers[question] = lines }
  }

  /// Refuses connections from now on; nil accepts them.
  func refuse(_ code: Int32?) { state.withLock { $0.refusal = code } }

  /// Lists devices, each described by a text.
  func list(_ devices: (name: String, description: String)...) {
    let rows = devices.map { "UPS \($0.name) \"\($0.description)\"" }
    answer("LIST UPS", ["BEGIN LIST UPS"] + rows + ["END LIST UPS"])
  }

  /// Gives a device its variables.
  func set(_ name: String, _ variables: [String: String]) {
    let rows = variables.sorted { $0.key < $1.key }.map { "VAR \(name) \($0.key) \"\($0.value)\"" }
    answer("LIST VAR \(name)", ["BEGIN LIST VAR \(name)"] + rows + ["END LIST VAR \(name)"])
  }

  /// Has questions about a device fail.
  func fail(_ name: String, _ error: String) { answer("LIST VAR \(name)", ["ERR \(error)"]) }

  func open(
    _ receive: @escaping @Sendable (LineEvent) -> LineResponse
  ) -> any LineConnection {
    let refusal = state.withLock { state in
      state.receive = receive
      state.openings += 1
      return state.refusal
    }
    happen(refusal.map { .closed(SystemError($0, at: "")) } ?? .opened)
    return Opening(upsd: self)
  }

  /// Lets something happen, and all that follows from it.
  func happen(_ event: LineEvent) {
    worker.submit { [self] in carryOut(event) }
  }

  /// Waits until nothing happens any more.
  func settle() { _ = worker.run(within: Patience.limit) {} }

  private func carryOut(_ event: LineEvent) {
    guard let response = state.withLock({ $0.receive })?(event) else { return }
    let question = String(decoding: response.send.dropLast(), as: UTF8.self)
    let lines = state.withLock { state in
      state.patience = response.patience
      if response.send.isEmpty { return [String]() }
      state.asked.append(question)
      return state.answers[question] ?? ["ERR UNKNOWN-UPS"]
    }
    if let code = response.hangUp { return carryOut(.closed(SystemError(code, at: ""))) }
    for line in lines { carryOut(.line(Array(line.utf8))) }
  }

  fileprivate func close() {
    // Released outside the lock: what it holds may call back.
    _ = state.withLock { state in
      defer { state.receive = nil }
      return state.receive
    }
  }
}

private struct Opening: LineConnection {
  let upsd: PlayedUpsd

  func call() { upsd.happen(.called) }
  func cancel() { upsd.close() }
}

/// A live machine whose upsd is the test, under a clock the test moves.
struct UPSDesk {
  let upsd = PlayedUpsd()
  let fixture: FixtureMachine
  let context: Context

  init(
    at address: ServiceAddress = .upsd, isListening: Bool = true, allow: Allowance = .all,
    _ files: [String: String] = [:], nature: Machine.Nature = .live
  ) throws {
    let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n"
    let row = "   0: 0100007F:0DA5 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 77\n"
    let ports = try machine(of: ["/proc/net/tcp": isListening ? table + row : table])
    fixture = try FixtureMachine(
      files, nature: nature,
      upsd: ServiceAccess(
        address: address, link: upsd, ports: ListeningPorts(files: ports.files)))
    context = try Context.open(
      on: fixture.machine, loop: fixture.loop, allow: allow, catalogue: [UPS()])
  }

  /// One device with a few variables, unless others are given.
  static let plain = [
    "ups.status": "OL", "battery.charge": "100", "ups.load": "25", "battery.runtime": "1800",
  ]

  func play(_ variables: [String: String] = plain) {
    upsd.list(("rack", "in the cellar"))
    upsd.set("rack", variables)
  }

  /// One reading of a device by key.
  func read(_ id: String = "ups|rack") throws -> [String: Sample] {
    try values(context.open(id))
  }

  func values(_ source: Source) throws -> [String: Sample] {
    Dictionary(uniqueKeysWithValues: zip(source.properties.map(\.key), try source.updateValues()))
  }

  func shown(_ source: Source) -> [String: Sample] {
    Dictionary(uniqueKeysWithValues: zip(source.properties.map(\.key), source.allValues))
  }

  /// Lets time pass on both sides.
  func advance(by seconds: Double) throws {
    try context.seek(to: (context.position ?? 0) + Int64(seconds * 1e9))
    upsd.happen(.silence)
    upsd.settle()
    try context.seek(to: context.position ?? 0)
  }

  /// Waits until a condition holds. Another thread reads: virtual time advances by 0.1 s for each
  /// 200 ms of waiting, in case a tick met a reading that was still under way.
  func comes(_ condition: () -> Bool) -> Bool {
    var looks = 0
    return Patience.wait {
      looks += 1
      try? advance(by: looks % 40 == 0 ? 0.1 : 0)
      return condition()
    }
  }
}
