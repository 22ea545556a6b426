import GatheredKitTesting
import Ground
import Machine

/// An independent client that keeps everything published below a filter.
final class TopicLog: BrokerUser, Sendable {
  struct Message: Sendable {
    let topic: String
    let payload: [UInt8]
    let isRetained: Bool
  }

  private struct State {
    var messages: [Message] = []
    var isSubscribed = false
    var outgoing: [BrokerMessage] = []
    var acknowledged = 0
  }

  private let filter: String
  private let state = Monitor(State())
  private let connection = Lock<BrokerConnection?>(nil)

  init(_ broker: PrivateBroker, _ filter: String = "#") throws {
    self.filter = filter
    let made = try BrokerConnection(
      to: broker.address, clientID: "log-\(UInt32.random(in: 0...UInt32.max))", user: self)
    try made.start()
    connection.withLock { $0 = made }
    Patience.wait { self.state.withLock { $0.isSubscribed } }
  }

  deinit { connection.withLock { $0 }?.abandon() }

  var messages: [Message] { state.withLock { $0.messages } }

  /// The last message of a topic, once one satisfies a condition.
  @discardableResult
  func wait(
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
  func publish(_ message: BrokerMessage) {
    let count = state.withLock { state in
      state.outgoing.append(message)
      return state.acknowledged + state.outgoing.count
    }
    connection.withLock { $0 }?.wake()
    Patience.wait { self.state.withLock { $0.acknowledged >= count } }
  }

  func connected(_ link: BrokerLink) { _ = try? link.subscribe([filter]) }

  func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink
  ) {
    let message = Message(topic: topic, payload: Array(payload), isRetained: isRetained)
    state.withLock { $0.messages.append(message) }
  }

  func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    state.withLock { $0.acknowledged += 1 }
  }

  func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    state.withLock { $0.isSubscribed = true }
  }

  func disconnected(_ failure: BrokerFailure) {}

  func work(_ link: BrokerLink?) -> Int64? {
    guard let link else { return nil }
    let waiting = state.withLock { state in
      defer { state.outgoing = [] }
      return state.outgoing
    }
    for message in waiting { _ = try? link.publish(message) }
    return nil
  }
}
