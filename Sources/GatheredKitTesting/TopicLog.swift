import Ground
public import Machine

/// An independent client that keeps everything published below a filter.
public final class TopicLog: BrokerUser, Sendable {
  /// A message that has come.
  public struct Message: Sendable {
    /// Where it was published.
    public let topic: String
    /// What was published.
    public let payload: [UInt8]
    /// Whether the broker had kept it.
    public let isRetained: Bool
  }

  private struct State {
    /// Everything that has come.
    public var messages: [Message] = []
    var isSubscribed = false
    var outgoing: [BrokerMessage] = []
    var acknowledged = 0
    /// The last that it told itself.
    var marker: [UInt8] = []
  }

  private let filter: String
  /// Where it tells itself that all before has come.
  private let end = "log/\(UInt32.random(in: 0...UInt32.max))"
  private let state = Monitor(State())
  private let connection = Lock<BrokerConnection?>(nil)

  /// Listens at a broker; returns when that has subscribed it.
  public init(_ broker: PrivateBroker, _ filter: String = "#") throws {
    self.filter = filter
    let made = try BrokerConnection(
      to: broker.address, clientID: "log-\(UInt32.random(in: 0...UInt32.max))", user: self)
    try made.start()
    connection.withLock { $0 = made }
    Patience.wait { self.state.withLock { $0.isSubscribed } }
  }

  deinit { connection.withLock { $0 }?.abandon() }

  /// Everything that has come, which may be less than the broker has acknowledged.
  public var messages: [Message] { state.withLock { $0.messages } }

  /// Everything that the broker had acknowledged when this was called.
  public func allMessages() -> [Message] {
    let marker = Array("\(state.withLock { $0.acknowledged })".utf8)
    publish(BrokerMessage(end, marker))
    Patience.wait { self.state.withLock { $0.marker == marker } }
    return messages
  }

  /// The last message of a topic, once one satisfies a condition.
  @discardableResult
  public func wait(
    for topic: String, _ isSo: @escaping ([UInt8]) -> Bool = { _ in true }
  ) -> [UInt8]? {
    var found: [UInt8]?
    Patience.wait {
      found = self.messages.last { $0.topic == topic && isSo($0.payload) }?.payload
      return found != nil
    }
    return found
  }

  /// Publishes something, and returns when the broker has it.
  public func publish(_ message: BrokerMessage) {
    let count = state.withLock { state in
      state.outgoing.append(message)
      return state.acknowledged + state.outgoing.count
    }
    connection.withLock { $0 }?.wake()
    Patience.wait { self.state.withLock { $0.acknowledged >= count } }
  }

  /// As the connection calls it.
  public func connected(_ link: BrokerLink) {
    _ = try? link.subscribe(filter == "#" ? [filter] : [filter, end])
  }

  /// As the connection calls it.
  public func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink
  ) {
    let message = Message(topic: topic, payload: Array(payload), isRetained: isRetained)
    state.withLock { state in
      if topic == end { state.marker = message.payload } else { state.messages.append(message) }
    }
  }

  /// As the connection calls it.
  public func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    state.withLock { $0.acknowledged += 1 }
  }

  /// As the connection calls it.
  public func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    state.withLock { $0.isSubscribed = true }
  }

  /// As the connection calls it.
  public func disconnected(_ failure: BrokerFailure) {}

  /// As the connection calls it.
  public func work(_ link: BrokerLink?) -> Int64? {
    guard let link else { return nil }
    let waiting = state.withLock { state in
      defer { state.outgoing = [] }
      return state.outgoing
    }
    for message in waiting { _ = try? link.publish(message) }
    return nil
  }
}
