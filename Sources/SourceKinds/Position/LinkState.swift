import Gathering
import Ground
import Machine

/// The state of a connection to receivers. Its methods make decisions and return the actions to
/// carry out.
struct LinkState: Sendable {
  /// How far the connection is, as sources see it.
  enum Phase: Equatable, Sendable {
    /// No source listens.
    case closed
    /// Being made for the first time.
    case connecting
    /// The other side has identified itself, and is still opening its devices.
    case greeted
    case connected
    /// Refused or lost, with an errno; it is being tried again.
    case lost(Int32)
    /// A service on the bus is absent or refuses; it is used again when it returns.
    case refused(Availability)
  }

  /// The next message expected of the other side.
  private enum Step: Equatable {
    case nothing
    /// Who it is, or which devices it has, until a boot time.
    case greeting(until: Int64)
    case listing(until: Int64)
    case reports
  }

  /// The changes caused by an event.
  struct Changes {
    /// Receivers appeared or disappeared, or found or lost their fix, or the connection was made or
    /// lost.
    var isListNew = false
    /// The devices whose epochs are complete.
    var reporters: [String] = []
  }

  /// How long the other side may take to identify itself, in nanoseconds.
  static let courtesy: Int64 = 1_800_000_000
  /// How long it may take to list its devices: gpsd opens them first, a second each.
  static let diligence: Int64 = 30_000_000_000
  /// How long an explicit request accepts a failed attempt, in nanoseconds.
  static let rest: Int64 = 2_000_000_000
  /// The most receivers accepted; no computer has more.
  static let limit = 16

  private(set) var phase = Phase.closed
  private(set) var receivers: [PositionReceiver] = []
  private let dialect: ReceiverLink.Dialect
  private var decoder = NMEADecoder()
  private var step = Step.nothing
  private var listeners = 0
  private var generation = 0
  private var connection: (any Cancellable)?
  /// When the last attempt failed.
  private var lostAt = Int64.min

  init(dialect: ReceiverLink.Dialect) { self.dialect = dialect }

  /// Whether a decision is still to come.
  var isConnecting: Bool { phase == .connecting || phase == .greeted }

  // MARK: Listeners

  /// Counts a listener; for the first one, the number of the connection to be made.
  mutating func beginListening() -> Int? {
    listeners += 1
    guard listeners == 1 else { return nil }
    generation += 1
    phase = .connecting
    step = .nothing
    return generation
  }

  /// The number of the connection to be made in place of one that was lost 2 s ago or earlier, and
  /// the one to be ended.
  mutating func beginAnew(at now: Int64) -> (generation: Int, old: (any Cancellable)?)? {
    guard case .lost = phase, listeners > 0, now - lostAt >= Self.rest else { return nil }
    generation += 1
    lostAt = now
    defer { connection = nil }
    return (generation, connection)
  }

  /// Keeps a connection, unless a newer one is meant or no source listens by now.
  mutating func keep(_ connection: any Cancellable, _ generation: Int) -> Bool {
    guard generation == self.generation, listeners > 0 else { return false }
    self.connection = connection
    return true
  }

  /// The connection to end, if the last listener was removed. The devices stay known by name.
  mutating func endListening() -> (any Cancellable)? {
    listeners -= 1
    guard listeners == 0 else { return nil }
    generation += 1
    phase = .closed
    receivers = receivers.map { PositionReceiver(device: $0.device) }
    defer { connection = nil }
    return connection
  }

  /// Forgets the devices of an earlier connection.
  mutating func forgetReceivers() {
    if phase == .closed { receivers = [] }
  }

  // MARK: Events

  mutating func handle(
    _ event: LineEvent, _ generation: Int, at now: Int64
  ) -> (LineResponse, Changes) {
    guard generation == self.generation else {
      return (LineResponse(hangUp: SystemText.notPermitted), Changes())
    }
    var response = LineResponse()
    var changes = Changes()
    switch event {
    case .opened: open(at: now, &response, &changes)
    case .line(let line): process(line, at: now, &response, &changes)
    case .silence: waitInVain(at: now, &response)
    // A receiver is never asked.
    case .called: break
    case .closed(let error):
      step = .nothing
      changes.isListNew = phase != .lost(error.code)
      phase = .lost(error.code)
      lostAt = now
      receivers = []
    }
    for index in receivers.indices {
      change(index, &changes) { $0.settle(by: now) }
    }
    response.patience = patience(at: now)
    return (response, changes)
  }

  private mutating func open(
    at now: Int64, _ response: inout LineResponse, _ changes: inout Changes
  ) {
    switch dialect {
    case .gpsd:
      step = .greeting(until: now + Self.courtesy)
    case .nmea(let device):
      decoder = NMEADecoder()
      connect([device], &response, &changes)
    }
  }

  private mutating func connect(
    _ devices: [String], _ response: inout LineResponse, _ changes: inout Changes
  ) {
    step = .reports
    phase = .connected
    response.isGood = true
    list(devices, &changes)
    changes.isListNew = true
  }

  private mutating func waitInVain(at now: Int64, _ response: inout LineResponse) {
    switch step {
    case .greeting(let moment) where moment <= now, .listing(let moment) where moment <= now:
      response.hangUp = SystemText.timedOut
    default:
      break
    }
  }

  /// How long until something is due without a line.
  private func patience(at now: Int64) -> Int64? {
    switch step {
    case .nothing: nil
    case .greeting(let moment), .listing(let moment): max(0, moment - now)
    case .reports: receivers.compactMap(\.due).min().map { max(0, $0 - now) }
    }
  }

  private mutating func process(
    _ line: [UInt8], at now: Int64, _ response: inout LineResponse, _ changes: inout Changes
  ) {
    waitInVain(at: now, &response)
    guard response.hangUp == nil else { return }
    if case .nmea(let device) = dialect {
      if let report = decoder.report(line, at: now) { take(report, of: device, at: now, &changes) }
      return
    }
    guard let message = GpsdMessage(line) else { return }
    switch (step, message) {
    case (.greeting, .version(let major)):
      if major == GpsdMessage.major {
        step = .listing(until: now + Self.diligence)
        // One that comes back is back when it has its devices.
        if phase == .connecting { phase = .greeted }
        response.send = GpsdMessage.watch
      } else {
        response.hangUp = SystemText.unknownProtocol
      }
    case (.listing, .devices(let devices)): connect(devices, &response, &changes)
    case (.reports, .devices(let devices)): list(devices, &changes)
    case (.reports, .device(let device, let isThere)): see(device, isThere, &changes)
    case (.reports, .report(let report, let device)):
      let only = receivers.count == 1 ? receivers.first?.device : nil
      guard let device = device ?? only else { return }
      see(device, true, &changes)
      take(report, of: device, at: now, &changes)
    default: break
    }
  }

  private mutating func list(_ devices: [String], _ changes: inout Changes) {
    var listed: [PositionReceiver] = []
    for device in devices.prefix(Self.limit) where !listed.contains(where: { $0.device == device })
    {
      listed.append(receivers.first { $0.device == device } ?? PositionReceiver(device: device))
    }
    if listed.map(\.device) != receivers.map(\.device) { changes.isListNew = true }
    receivers = listed
  }

  private mutating func see(_ device: String, _ isThere: Bool, _ changes: inout Changes) {
    let isKnown = receivers.contains { $0.device == device }
    if isThere && !isKnown && receivers.count < Self.limit {
      receivers.append(PositionReceiver(device: device))
      changes.isListNew = true
    } else if !isThere && isKnown {
      receivers.removeAll { $0.device == device }
      changes.isListNew = true
    }
  }

  private mutating func take(
    _ report: PositionReport, of device: String, at now: Int64, _ changes: inout Changes
  ) {
    guard let index = receivers.firstIndex(where: { $0.device == device }) else { return }
    change(index, &changes) { $0.take(report, at: now) }
  }

  /// Changes a receiver, and records the consequences.
  private mutating func change(
    _ index: Int, _ changes: inout Changes, _ change: (inout PositionReceiver) -> Bool
  ) {
    let hadFix = receivers[index].hasFix
    guard change(&receivers[index]) else { return }
    changes.reporters.append(receivers[index].device)
    if receivers[index].hasFix != hadFix { changes.isListNew = true }
  }
}
