import Gathering
import Ground
import Machine
import Recording
import Values

/// What is known of a fleet, and what is wanted of its broker. Moments are of CLOCK_MONOTONIC.
struct FleetState {
  /// How far the list of machines is (fleet F40).
  enum Listing: Equatable {
    case none
    /// The machines that are there or were, until none has come for a while.
    case machines(quietAt: Int64)
    /// Their lists of sources.
    case sources(quietAt: Int64)
    case complete
  }

  /// A source that is read.
  struct Held {
    var streams: [FleetStream] = []
    /// Whether its last stream ended with its machine or the broker: it is opened again when both
    /// are back, and gets what comes before that.
    var lingers = false
    var deferred: [DeferredRows] = []
    var deferredBytes = 0
    /// What has come of its rows.
    var history: RowsHistory?
    /// How many callers wait for its state.
    var readers = 0
    var state: StateMessage?
    /// When the broker has said that it is subscribed: what is retained follows at once.
    var subscribedAt: Int64?

    var isWanted: Bool { !streams.isEmpty || readers > 0 || lingers }

    /// What is subscribed of it.
    var whats: [FleetTopic.What] {
      if !isWanted { return [] }
      return streams.isEmpty && !lingers ? [.state] : [.state, .rows, .late]
    }
  }

  /// How long nothing retained must have come for a list to be complete, in nanoseconds.
  static let quiet: Int64 = 250_000_000
  /// How long the broker's answer to a request is waited for.
  private static let answerLimit: Int64 = 5_000_000_000
  /// How many machines are asked at once what their sources are.
  private static let questionLimit = 8

  var devices: [String: FleetDevice] = [:]
  var held: [FleetKey: Held] = [:]
  var listing = Listing.none
  /// Whether there was a complete list in the life of the fleet.
  private(set) var wasListed = false
  private(set) var isConnected = false
  /// When messages that were not taken are tried again.
  var retryAt: Int64?
  /// When it was connected last.
  var connectedAt: Int64 = 0
  /// `quiet`, or longer where the broker's first answer took long: what is lost on its way is sent
  /// again after about twice that.
  var pause = FleetState.quiet
  /// Why there is no broker.
  private(set) var failure: BrokerFailure?
  /// What the broker was asked to subscribe and has not answered, by the requests.
  var requests: [Int32: [FleetFilter]] = [:]
  /// What is to be subscribed, and what no longer.
  var subscriptions: [FleetFilter] = []
  var ends: [FleetFilter] = []
  /// The machines that are known by halves.
  var seeking = FleetSeeking()
  /// The machines whose sources are to be described, in turn.
  private var questions: [String] = []
  /// Those that are being asked.
  private var asked: [String] = []
  var watches: [(number: UInt64, kind: String, changed: @Sendable (Change) -> Void)] = []
  var lastWatch: UInt64 = 0
  /// How many blocks of a source are missing so far.
  var missing: [FleetKey: Int] = [:]
  /// The kinds whose watchers are to look.
  var changed: Set<String> = []
  var isEverythingChanged = false { didSet { if isEverythingChanged { news.forget() } } }
  /// What of these kinds has changed.
  var news = FleetNews()
  var isTelling = false
  /// What was ignored, and how often.
  var faults: [MessageFault: Int] = [:]
  var faultsLoggedAt: Int64?
  var isClosed = false
  /// Whether something has come that callers may wait for.
  var isAwaited = false

  /// Whether the list of machines is complete.
  var isListed: Bool { listing == .complete }

  /// Why the whole fleet has no values; nil while the broker is there.
  var absence: Availability? { isConnected ? nil : failure.map(Availability.init) }

  /// The names of the machines, those online first, each group in natural order.
  var order: [String] {
    let names = devices.keys.sorted(by: NaturalOrder.areInIncreasingOrder)
    return names.filter { devices[$0]?.isOnline == true }
      + names.filter { devices[$0]?.isOnline != true }
  }

  // MARK: The connection

  /// The broker has accepted: all that is wanted is asked of it.
  mutating func connect(at now: Int64) {
    (isConnected, failure, isEverythingChanged, requests) = (true, nil, true, [:])
    (connectedAt, pause, seeking, asked) = (now, Self.quiet, FleetSeeking(), [])
    listing = .machines(quietAt: now + Self.answerLimit)
    subscriptions = [.all("online")]
    for (key, held) in held { subscriptions += held.whats.map { .topic(key.topic($0)) } }
    for (name, device) in devices where device.isAsked {
      devices[name]?.asking = .waits
      if !questions.contains(name) { questions.append(name) }
    }
  }

  mutating func disconnect(_ failure: BrokerFailure) {
    (isConnected, listing, isEverythingChanged) = (false, .none, true)
    self.failure = failure
  }

  /// The broker has answered a request: what is retained follows.
  mutating func noteAnswer(to request: Int32, at now: Int64) {
    for filter in requests.removeValue(forKey: request) ?? [] {
      switch filter {
      case .topic(let topic):
        guard case .source(_, _, .state) = topic.subject, let key = FleetKey(topic) else {
          continue
        }
        held[key]?.subscribedAt = now
        isAwaited = true
      case .abouts(let name): prolongQuestion(of: name, from: now)
      case .all:
        if case .machines = listing {
          pause = min(max(Self.quiet, 2 * (now - connectedAt)), 8 * Self.quiet)
        }
        prolong(from: now)
      }
    }
  }

  /// Has a machine's sources described; whether they are already, or cannot be.
  mutating func ask(_ name: String) -> Bool {
    guard let device = devices[name], isConnected else { return true }
    if case .done = device.asking { return true }
    if case .not = device.asking {
      devices[name]?.asking = .waits
      questions.append(name)
    }
    return false
  }

  // MARK: In time

  /// Does what is due at a moment.
  mutating func goOn(at now: Int64) {
    switch listing {
    case .machines(let quietAt) where now >= quietAt:
      listing = .sources(quietAt: now + Self.answerLimit)
      subscriptions.append(.all("device"))
    case .sources(let quietAt) where now >= quietAt:
      (listing, wasListed, isAwaited) = (.complete, true, true)
      for (name, device) in devices where device.isHalf { seeking.note(name, due: now) }
    default: break
    }
    for name in seeking.take(at: now) {
      guard let device = devices[name], device.isHalf else { continue }
      let missing = device.online == nil ? FleetTopic.Subject.online : .device
      subscriptions.append(.topic(FleetTopic(device: name, subject: missing)))
    }
    askQuestions(at: now)
    endLingering(at: now)
  }

  /// Asks machines what their sources are, some at a time.
  private mutating func askQuestions(at now: Int64) {
    let running = asked.filter { name in
      guard let device = devices[name], case .asked(let quietAt) = device.asking else {
        return false
      }
      return now < quietAt && !device.isDescribed(as: name)
    }
    for name in asked where !running.contains(name) {
      devices[name]?.asking = .done
      isAwaited = true
    }
    asked = running
    while asked.count < Self.questionLimit, let name = questions.first {
      questions.removeFirst()
      guard devices[name] != nil else { continue }
      devices[name]?.asking = .asked(quietAt: now + Self.answerLimit)
      subscriptions.append(.abouts(of: name))
      asked.append(name)
    }
  }

  /// When something is due of itself.
  var next: Int64? {
    var moments = asked.compactMap { name -> Int64? in
      if case .asked(let quietAt)? = devices[name]?.asking { quietAt } else { nil }
    }
    switch listing {
    case .machines(let quietAt), .sources(let quietAt): moments.append(quietAt)
    case .none, .complete: break
    }
    if let due = seeking.due { moments.append(due) }
    if let retryAt { moments.append(retryAt) }
    moments += held.filter(\.value.lingers).compactMap { steadiness(of: $0.key.device) }
    return moments.min()
  }

  /// While retained messages come, the list is not complete.
  mutating func prolong(from now: Int64) {
    switch listing {
    case .machines: listing = .machines(quietAt: now + pause)
    case .sources: listing = .sources(quietAt: now + pause)
    case .none, .complete: break
    }
  }

  /// The same of what the sources of a machine are.
  mutating func prolongQuestion(of name: String, from now: Int64) {
    if case .asked = devices[name]?.asking {
      devices[name]?.asking = .asked(quietAt: now + pause)
    }
  }
}
