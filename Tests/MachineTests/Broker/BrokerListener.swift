import GatheredKitTesting
import Ground
import Machine

/// A user of a connection that keeps what it is told, and does what a test wants in its turn.
final class BrokerListener: BrokerUser, Sendable {
  enum Event: Equatable {
    case connected(BrokerLimits)
    case received(String, [UInt8], isRetained: Bool)
    case acknowledged(Int32, BrokerFailure?)
    case subscribed(Int32, BrokerFailure?)
    case disconnected(BrokerFailure)
    /// What a request gave: the number, or why not.
    case asked(Result<Int32, BrokerFailure>)
  }

  typealias Request = @Sendable (BrokerLink) throws(BrokerFailure) -> Int32

  private let log = Monitor<[Event]>([])
  private let requests = Monitor<[Request]>([])
  private let turns = Monitor(0)
  /// The moment it wants to work at again.
  private let moment: Int64?

  init(wantingWorkAt moment: Int64? = nil) { self.moment = moment }

  var events: [Event] { log.withLock { $0 } }
  var turnCount: Int { turns.withLock { $0 } }

  func connected(_ link: BrokerLink) { add(.connected(link.limits)) }

  func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink
  ) {
    add(.received(topic, Array(payload), isRetained: isRetained))
  }

  func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    add(.acknowledged(message, failure))
  }

  func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    add(.subscribed(request, failure))
  }

  func disconnected(_ failure: BrokerFailure) { add(.disconnected(failure)) }

  func work(_ link: BrokerLink?) -> Int64? {
    turns.withLock { $0 += 1 }
    turns.signalAll()
    guard let link else { return moment }
    let waiting = requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
    for request in waiting {
      do throws(BrokerFailure) {
        add(.asked(.success(try request(link))))
      } catch {
        add(.asked(.failure(error)))
      }
    }
    return moment
  }

  // MARK: For the test

  /// Has something asked of the link in a turn to come.
  func ask(_ request: @escaping Request) { requests.withLock { $0.append(request) } }

  /// Waits for an event.
  @discardableResult
  func wait(for isIt: (Event) -> Bool) -> Event? {
    log.wait(until: Patience.end) { $0.first(where: isIt) }
  }

  /// Waits until an event has come so often.
  func wait(times count: Int, for isIt: (Event) -> Bool) -> Bool {
    log.wait(until: Patience.end) { $0.count(where: isIt) >= count ? true : nil } ?? false
  }

  /// Waits until it was asked to work so often.
  func wait(turns count: Int) -> Bool {
    turns.wait(until: Patience.end) { $0 >= count ? true : nil } ?? false
  }

  /// What the broker said when it accepted.
  func waitForLimits() -> BrokerLimits? {
    guard case .connected(let limits)? = wait(for: \.isConnected) else { return nil }
    return limits
  }

  /// Why the first try failed, or the connection ended.
  func waitForFailure() -> BrokerFailure? {
    guard case .disconnected(let failure)? = wait(for: \.isDisconnected) else { return nil }
    return failure
  }

  private func add(_ event: Event) {
    log.withLock { $0.append(event) }
    log.signalAll()
  }
}

extension BrokerListener.Event {
  var isConnected: Bool { if case .connected = self { true } else { false } }
  var isDisconnected: Bool { if case .disconnected = self { true } else { false } }
  var isAcknowledged: Bool { if case .acknowledged(_, nil) = self { true } else { false } }
  var isSubscribed: Bool { if case .subscribed(_, nil) = self { true } else { false } }

  func isReceived(_ topic: String) -> Bool {
    if case .received(topic, _, _) = self { true } else { false }
  }
}

/// A connection with its user, which is ended with it.
struct BrokerSession {
  let listener: BrokerListener
  let connection: BrokerConnection
  /// What would end with its last reference.
  private let server: AnyObject?

  init(
    _ address: BrokerAddress, of server: AnyObject? = nil, id: String, shortID: String? = nil,
    will: BrokerMessage? = nil, wantingWorkAt moment: Int64? = nil
  ) throws {
    self.server = server
    listener = BrokerListener(wantingWorkAt: moment)
    connection = try BrokerConnection(
      to: address, clientID: id, shortClientID: shortID, will: will, user: listener)
    try connection.start()
  }

  init(
    _ broker: PrivateBroker, id: String, will: BrokerMessage? = nil,
    wantingWorkAt moment: Int64? = nil
  ) throws {
    try self.init(broker.address, of: broker, id: id, will: will, wantingWorkAt: moment)
  }

  /// Has something asked, and wakes the connection for it.
  func ask(_ request: @escaping BrokerListener.Request) {
    listener.ask(request)
    connection.wake()
  }

  /// Subscribes, and waits until the broker has answered.
  func subscribe(_ filters: String..., qos: Int32 = 1) -> Bool {
    ask { link throws(BrokerFailure) in try link.subscribe(filters, qos: qos) }
    return listener.wait(for: \.isSubscribed) != nil
  }

  func publish(_ message: BrokerMessage) {
    ask { link throws(BrokerFailure) in try link.publish(message) }
  }
}
