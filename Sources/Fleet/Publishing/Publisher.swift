public import Gathering
import Ground
import Machine
public import Recording
import Values

extension Recorder {
  /// Publishes what it takes in to a broker, with the newest reading of each source as a retained
  /// state (<doc:Fleet>).
  ///
  /// It does not wait for the broker, which is looked for until the recorder is closed;
  /// `information` tells how that goes. `flush` returns when the broker has everything. Throws
  /// `invalidArgument`, for the files of the address `notFound`, `parse` and PERMISSION, and
  /// `unavailable` without libmosquitto, and with BUSY where another publisher has the spool.
  public static func publishing(
    to address: FleetAddress, from context: Context,
    options: PublisherOptions = PublisherOptions()
  ) throws(SourceError) -> Recorder {
    try publishing(to: address, from: context, options: options, keepingIn: LiveStorage())
  }

  static func publishing(
    to address: FleetAddress, from context: Context, options: PublisherOptions,
    keepingIn storage: any FileStorage
  ) throws(SourceError) -> Recorder {
    try options.check()
    let publisher = Publisher(PublisherFacts(address, options, context), of: context)
    try publisher.openSpool(in: storage)
    try publisher.connect()
    return Recorder(address.broker.text, publisher.queue, for: publisher)
  }
}

/// What callers know of a publisher; its work is the connection's thread's.
final class Publisher: RecorderTarget {
  private struct State {
    var connection: BrokerConnection?
    var names: Set<String> = []
    var watched: [String: ListenerToken] = [:]
    /// Sources that have come or gone.
    var changes: [InstanceChange] = []
    /// Those that have come and cannot be published.
    var refused: Set<String> = []
    var counts = PublisherCounts()
    var hasRival = false
    var isOver = false
    /// What keeps rows, until the connection's thread has it.
    var folder: SpoolFolder?
  }

  let facts: PublisherFacts
  let queue: RecorderQueue
  private let isFleet: Bool
  private let waker: QueueWaker
  private let state = Monitor(State())

  init(_ facts: PublisherFacts, of context: Context) {
    self.facts = facts
    isFleet = context.uri.hasPrefix("mqtt")
    var settings = RecorderOptions()
    settings.memoryLimit = facts.options.memoryLimit
    settings.blockBytes = facts.options.batchBytes
    let waker = QueueWaker()
    self.waker = waker
    queue = RecorderQueue(
      settings, lateness: "the broker is not reached yet; rows wait in memory"
    ) { waker.wake() }
  }

  /// Locks the folder that is to keep rows, if there is to be one.
  func openSpool(in storage: any FileStorage) throws(SourceError) {
    guard let folder = facts.options.spool else { return }
    let made: SpoolFolder
    do throws(SourceError) {
      made = try SpoolFolder(
        folder, limit: facts.options.spoolBytes, device: FleetTopic.level(facts.device),
        in: storage)
    } catch .io(SystemText.busy, _) {
      throw .unavailable(
        Availability(
          .busy, backend: "mqtt", detail: "another publisher keeps its rows in \(folder)",
          errno: SystemText.busy, remedy: "give one of them another folder"))
    }
    state.withLock { $0.folder = made }
  }

  /// Begins to connect.
  func connect() throws(SourceError) {
    try FleetAddress.checkLibrary()
    do throws(BrokerFault) {
      let connection = try BrokerConnection(
        to: facts.address.broker, clientID: MachineName.clientID(of: facts.device),
        shortClientID: MachineName.shortClientID(of: facts.device), will: facts.online(false),
        looksFirst: true,
        making: { [weak self] in self.map { PublisherWork($0) } })
      for warning in connection.warnings { Log.write(.warning, "mqtt", warning) }
      waker.connection.withLock { $0 = connection }
      state.withLock { $0.connection = connection }
      do throws(SystemError) { try connection.start() } catch { throw BrokerFault.system(error) }
    } catch {
      throw SourceError(error)
    }
  }

  // MARK: What a recorder asks

  func admit(_ source: Source) throws(SourceError) {
    if isFleet {
      throw .invalidArgument("a fleet is not published again: a bridge between brokers does that")
    }
    let id = source.id
    if let category = source.kind.category, !facts.shows(category) {
      throw .unavailable(
        Availability(
          .requiresPermission, detail: "\(id.kind) is personal",
          remedy: "publish with allow=\(category.rawValue)"))
    }
    guard let instance = id.instance else {
      throw .invalidArgument("\(id) has no instance yet")
    }
    try reserve(id.description, .source(kind: id.kind, instance: instance, .state))
    watch(source.context, id.kind)
  }

  func admit(streamNamed name: String) throws(SourceError) {
    if isFleet { throw .invalidArgument("a fleet is not published again") }
    let subject = FleetTopic.Subject.source(kind: FleetTopic.streamKind, instance: name, .state)
    try reserve("\(FleetTopic.streamKind)|\(name)", subject)
  }

  /// Takes a name once. Throws `io` with EEXIST for one that was taken.
  private func reserve(_ name: String, _ subject: FleetTopic.Subject) throws(SourceError) {
    let topic = FleetTopic(device: facts.device, subject: subject)
    if let refusal = topic.refusal(below: facts.address.root) {
      let isLater = state.withLock { $0.refused.contains(name) }
      throw isLater ? .limit("\(name): \(refusal)") : .invalidArgument("\(name): \(refusal)")
    }
    let isNew = state.withLock { $0.names.insert(name).inserted }
    guard isNew else { throw .io(errno: SystemText.fileExists, place: name) }
  }

  /// Learns of instances of a kind that come and go.
  private func watch(_ context: Context, _ kind: String) {
    let isKnown = state.withLock { $0.watched[kind] != nil }
    if isKnown { return }
    let token = try? context.watch(kind) { [weak self] event in
      switch event.what {
      case .added: self?.note(event.id, isThere: true)
      case .removed: self?.note(event.id, isThere: false)
      default: break
      }
    }
    state.withLock { $0.watched[kind] = token }
  }

  /// An instance has come or gone; one that has come and cannot be published is left out.
  private func note(_ id: SourceIdentifier, isThere: Bool) {
    var change = InstanceChange(id: id, isThere: isThere)
    if isThere, let instance = id.instance {
      let subject = FleetTopic.Subject.source(kind: id.kind, instance: instance, .state)
      change.refusal = FleetTopic(device: facts.device, subject: subject)
        .refusal(below: facts.address.root)
    }
    let isNews = state.withLock { state in
      state.changes.append(change)
      return change.refusal != nil && state.refused.insert(id.description).inserted
    }
    if isNews, let refusal = change.refusal {
      Log.write(.warning, "mqtt", "\(id) is left out: \(refusal)")
    }
    waker.wake()
  }

  var information: SinkInformation {
    let (counts, hasRival, isOver, connection) = state.withLock {
      ($0.counts, $0.hasRival, $0.isOver, $0.connection)
    }
    var information = SinkInformation(counts)
    information.rowsTaken = queue.rowsTaken
    information.rowsLost = queue.statistics.lost
    switch connection?.state ?? .closed {
    case .connecting: information.state = .connecting
    case .connected(let since):
      (information.state, information.connectedSince) = (.connected, since)
    case .waiting(_, let failure):
      (information.state, information.failure) = (.waiting, SourceError(failure))
    case .closed: information.state = .closed
    }
    if hasRival {
      (information.state, information.failure) = (.superseded, superseded)
    } else if isOver {
      information.state = .closed
    }
    return information
  }

  /// Another publisher has this one's name.
  var superseded: SourceError {
    .unavailable(
      Availability(
        .busy, backend: "mqtt", detail: "another publisher calls itself \(facts.device)",
        errno: SystemText.busy, remedy: "give one of them another name with device="))
  }

  func abandon() {
    let (connection, tokens) = state.withLock { state in
      defer { state.watched = [:] }
      return (state.connection, Array(state.watched.values))
    }
    for token in tokens { token.end() }
    connection?.abandon()
  }

  // MARK: What the connection's thread asks and tells

  /// The sources that have come or gone since it asked last.
  func takeChanges() -> [InstanceChange] {
    state.withLock { state in
      defer { state.changes = [] }
      return state.changes
    }
  }

  func report(_ counts: PublisherCounts) { state.withLock { $0.counts = counts } }

  /// What keeps rows, once.
  func takeFolder() -> SpoolFolder? {
    state.withLock { state in
      defer { state.folder = nil }
      return state.folder
    }
  }

  /// Gives way to another publisher of this name, for ever.
  func giveWay() {
    let connection = state.withLock { state in
      state.hasRival = true
      return state.connection
    }
    connection?.abandon()
  }

  /// All is sent that will be.
  func end() {
    let connection = state.withLock { state in
      state.isOver = true
      return state.connection
    }
    connection?.abandon()
  }
}

/// An instance has come, or gone.
struct InstanceChange: Sendable {
  let id: SourceIdentifier
  let isThere: Bool
  /// Why it cannot be published.
  var refusal: String?
}

/// The connection of a publisher, for its queue to wake.
private final class QueueWaker: Sendable {
  let connection = Lock<BrokerConnection?>(nil)

  func wake() { connection.withLock { $0 }?.wake() }
}

/// What a publisher has sent so far.
struct PublisherCounts: Sendable {
  var rowsSent: UInt64 = 0
  var rowsAcknowledged: UInt64 = 0
  var bytes: UInt64 = 0
  var messages: UInt64 = 0
  var connections: UInt64 = 0
  var spooledRows: UInt64?
  var spooledBytes: UInt64?
}

extension SinkInformation {
  fileprivate init(_ counts: PublisherCounts) {
    self.init()
    (rowsSent, rowsAcknowledged) = (counts.rowsSent, counts.rowsAcknowledged)
    (bytesSent, messagesSent) = (counts.bytes, counts.messages)
    connections = counts.connections
    (spooledRows, spooledBytes) = (counts.spooledRows, counts.spooledBytes)
  }
}
