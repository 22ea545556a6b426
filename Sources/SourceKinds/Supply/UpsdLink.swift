import Gathering
import Ground
import Machine
import Values

/// The one connection to upsd that all sources of a context share: open while one of them is read,
/// or the list of devices is wanted.
final class UpsdLink: LooksAnew {
  /// What is known of a device by a reading.
  enum Finding: Sendable {
    /// The answer to this question.
    case answer(UpsdDevice)
    /// There is none in time.
    case late
    /// There can be none.
    case absent(Availability)
  }

  /// The notice that there are other devices, or that one is in another state.
  static let topic = ChangeTopic.service("upsd")

  /// How old a list may become while others wait for changes, in nanoseconds; a caller that asks
  /// gets a new one.
  static let freshness: Int64 = 30_000_000_000

  private let service: ServiceAccess
  private let files: any FileTree
  private let clock: any TimeSource
  private let notices: (any ChangeNotices)?
  private let state = Monitor(UpsdState())

  private init(_ service: ServiceAccess, _ machine: Machine) {
    self.service = service
    files = machine.files
    clock = machine.clock
    notices = machine.notices
  }

  /// The link of a machine; nil if it has no upsd.
  static func of(_ machine: Machine) -> UpsdLink? {
    guard let service = machine.upsd else { return nil }
    return machine.attachments.attachment { UpsdLink(service, machine) }
  }

  // MARK: Listeners

  /// Listens until the result is cancelled or let go; never waits.
  func listen(toList isLooker: Bool) -> UpsdListener {
    let connection = state.withLock { $0.beginListening(toList: isLooker) }
    connect()
    connection?.call()
    return UpsdListener(self, toList: isLooker)
  }

  fileprivate func endListening(toList isLooker: Bool) {
    // Ended outside the lock: a cancelled connection may call back.
    let ended = state.withLock { $0.endListening(toList: isLooker) }
    ended?.cancel()
  }

  func lookAnew(at topics: [ChangeTopic]) {
    guard topics.contains(Self.topic) else { return }
    let now = clock.now.boot
    guard let (generation, old) = state.withLock({ $0.beginAnew(at: now) }) else { return }
    old?.cancel()
    open(generation)
  }

  /// Connects if that is wanted, and there is something to connect to.
  private func connect() {
    guard isListening, let generation = state.withLock({ $0.beginConnecting() }) else { return }
    open(generation)
  }

  /// Whether a daemon may listen; that of another machine is not looked at.
  private var isListening: Bool {
    !service.address.isLocal || service.ports.look(at: service.address) != .nothing
  }

  private func open(_ generation: Int) {
    let connection = service.link.open { [weak self] event in
      self?.handle(event, generation) ?? LineResponse(hangUp: SystemText.notPermitted)
    }
    let isLate = state.withLock { !$0.keep(connection, generation) }
    if isLate { connection.cancel() }
  }

  private func handle(_ event: LineEvent, _ generation: Int) -> LineResponse {
    let now = clock.now.boot
    let (response, isListNew) = state.withLock { $0.handle(event, generation, at: now) }
    state.signalAll()
    if isListNew { notices?.send(ChangeNotice(topic: Self.topic)) }
    return response
  }

  // MARK: Questions

  /// Waits until the list is known or cannot be, at most until a moment on CLOCK_MONOTONIC.
  func awaitList(until moment: Int64) {
    _ = state.wait(until: moment) { $0.isSettled ? true : nil }
  }

  /// Asks about a device, and waits so many nanoseconds for the answer at most.
  func ask(about name: String, within limit: Int64) -> Finding {
    connect()
    let moment = Monitor<Void>.moment(after: limit)
    let (before, connection) = state.withLock { $0.ask(about: name) }
    connection?.call()
    let end = state.wait(until: moment) { state -> End? in
      if state.phase == .closed || state.phase == .lost { return .lost(state.failure) }
      guard let device = state.device(name) else { return state.isSettled ? .gone : nil }
      return device.answers == before ? nil : .answer(device)
    }
    return switch end {
    case .lost(let failure): .absent(absence(failure))
    case .gone: .absent(.gone(name))
    case .answer(let device): trouble(of: device).map(Finding.absent) ?? .answer(device)
    case nil: .late
    }
  }

  /// How waiting for an answer ends.
  private enum End: Sendable {
    case lost(Int32?)
    case gone
    case answer(UpsdDevice)
  }

  /// How the driver of a device is started again.
  func restart(_ name: String) -> String { Availability.restart(name, at: service.address) }

  /// The devices as far as they are known, or why there are none; never waits.
  func discovery() -> Discovery {
    connect()
    let (phase, failure, devices) = state.withLock { ($0.phase, $0.failure, $0.devices) }
    guard phase == .connected || phase == .closed && isListening && !devices.isEmpty else {
      return Discovery([], orElse: absence(failure))
    }
    let found = devices.map { device in
      Instance(
        device.name, availability: trouble(of: device) ?? Availability(.available, backend: "upsd"),
        path: device.name)
    }
    let sorted = found.sorted { NaturalOrder.areInIncreasingOrder($0.name, $1.name) }
    return Discovery(sorted.withDistinctNames(), orElse: .noUPS)
  }

  /// Why there is no connection; an errno of 0 if there is no answer so far.
  private func absence(_ failure: Int32?) -> Availability {
    if !isListening { return .noUpsd(at: service.address, in: files) }
    return .upsd(failure ?? 0, at: service.address, in: files)
  }

  private func trouble(of device: UpsdDevice) -> Availability? {
    Availability(troubleOf: device, at: service.address)
  }
}

/// Keeps the connection of a reader, or of a look at the list.
final class UpsdListener: ListQuestion {
  private let link: UpsdLink
  private let isLooker: Bool
  private let isOver = Lock(false)

  fileprivate init(_ link: UpsdLink, toList isLooker: Bool) {
    self.link = link
    self.isLooker = isLooker
  }

  deinit { cancel() }

  func awaitAnswer(until moment: Int64) { link.awaitList(until: moment) }

  func cancel() {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if !wasOver { link.endListening(toList: isLooker) }
  }
}
