import Fleet
import Gathering
import Ground
import Machine
import Values

/// Deletes all that a broker has retained of a machine (fleet F18): what it published, and what
/// Home Assistant was told of it.
enum DeviceDeletion {
  /// Deletes it, and gives how many messages that were. What a publisher of this name that still
  /// runs sends is there again.
  ///
  /// Waits for the broker, `limit` nanoseconds at most. Throws as `Recorder.publishing`;
  /// `unavailable` without a broker, `timeout` where it has not done everything in time.
  static func run(
    _ device: String, at address: FleetAddress, discovery prefix: String,
    _ catalogue: [any SourceKind], within limit: Int64 = 30_000_000_000
  ) throws(SourceError) -> Int {
    try FleetAddress.checkLibrary()
    let places = try DevicePlaces(
      device, below: address, discovery: prefix, kinds: catalogue.map(\.kind))
    let deleter = DeviceDeleter(device, places)
    let connection: BrokerConnection
    do throws(BrokerFault) {
      let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      connection = try BrokerConnection(
        to: address.broker, clientID: "gk-d-\(number)", user: deleter)
      for warning in connection.warnings { Log.write(.warning, "mqtt", warning) }
      do throws(SystemError) { try connection.start() } catch { throw BrokerFault.system(error) }
    } catch {
      throw SourceError(error)
    }
    defer { connection.abandon() }
    return try deleter.outcome(within: limit)
  }
}

/// Finds what is retained of a machine, deletes it, and looks again until there is nothing: a
/// broker need not give all that it has at once.
private final class DeviceDeleter: BrokerUser, Sendable {
  private enum Stage {
    case idle
    /// What is retained comes, until nothing has for a while.
    case looking(quietAt: Int64)
    case deleting
    case done
  }

  private struct State {
    var stage = Stage.idle
    var found: Set<String> = []
    var onWay: Set<Int32> = []
    var count = 0
    var failure: SourceError?
  }

  private static let quiet: Int64 = 500_000_000

  private let device: String
  private let places: DevicePlaces
  private let state = Monitor(State())

  init(_ device: String, _ places: DevicePlaces) {
    self.device = device
    self.places = places
  }

  /// How many messages were deleted, once all are.
  func outcome(within limit: Int64) throws(SourceError) -> Int {
    let outcome = state.wait(until: Monitor<Void>.moment(after: limit)) {
      (state) -> Result<Int, SourceError>? in
      if let failure = state.failure { return .failure(failure) }
      if case .done = state.stage { return .success(state.count) }
      return nil
    }
    guard let outcome else {
      throw .timeout("the broker has not deleted everything in time")
    }
    return try outcome.get()
  }

  private var now: Int64 { Monitor<Void>.moment(after: 0) }

  private func look(_ link: BrokerLink) {
    _ = try? link.subscribe([places.published + "#"] + places.discovered)
    state.withLock { $0.stage = .looking(quietAt: now + 4 * Self.quiet) }
  }

  func connected(_ link: BrokerLink) { look(link) }

  func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    state.withLock { state in
      if let failure { state.failure = SourceError(failure) }
      if case .looking = state.stage { state.stage = .looking(quietAt: now + Self.quiet) }
    }
    state.signalAll()
  }

  func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink
  ) {
    guard isRetained, !payload.isEmpty, topic.hasPrefix(places.published) || isOurs(payload) else {
      return
    }
    state.withLock { state in
      state.found.insert(topic)
      if case .looking = state.stage { state.stage = .looking(quietAt: now + Self.quiet) }
    }
  }

  /// Whether Home Assistant is told of this machine, and not of one whose name is alike.
  private func isOurs(_ payload: UnsafeRawBufferPointer) -> Bool {
    guard case .dictionary(let members)? = try? Value(json: payload),
      case .dictionary(let told)? = members["dev"]
    else { return false }
    return told["name"]?.text == device
  }

  func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    state.withLock { state in
      state.onWay.remove(message)
      if let failure { state.failure = SourceError(failure) } else { state.count += 1 }
    }
    state.signalAll()
  }

  func disconnected(_ failure: BrokerFailure) {
    state.withLock { state in
      if case .done = state.stage { return }
      state.failure = SourceError(failure)
    }
    state.signalAll()
  }

  func work(_ link: BrokerLink?) -> Int64? {
    guard let link else { return nil }
    let now = now
    let (due, topics, isAgain) = state.withLock { state -> (Int64?, [String], Bool) in
      if case .looking(let quietAt) = state.stage {
        if now < quietAt { return (quietAt, [], false) }
        state.stage = state.found.isEmpty ? .done : .deleting
      }
      guard case .deleting = state.stage else { return (nil, [], false) }
      return (nil, state.found.sorted(), state.found.isEmpty && state.onWay.isEmpty)
    }
    for topic in topics where link.hasRoom(for: 0) {
      guard let number = try? link.publish(BrokerMessage(topic, [], isRetained: true)) else {
        break
      }
      state.withLock { state in
        state.found.remove(topic)
        state.onWay.insert(number)
      }
    }
    if isAgain { look(link) }
    state.signalAll()
    return isAgain ? now + 4 * Self.quiet : due
  }
}
