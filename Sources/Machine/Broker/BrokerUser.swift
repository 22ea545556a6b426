/// What uses a connection. It is called on the connection's own thread, and never under a lock.
public protocol BrokerUser: AnyObject {
  /// The broker has accepted. The link is good until `disconnected`.
  func connected(_ link: BrokerLink)
  /// A message has come; its bytes are valid until this returns.
  func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink)
  /// A message that was published: at QoS 1 the broker has it, or says why not; at QoS 0 it is on
  /// its way.
  func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink)
  /// The broker's answer to a subscription; a failure if it refuses one of its filters.
  func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink)
  /// A try to connect has failed, or the connection is lost. The next one follows by itself.
  func disconnected(_ failure: BrokerFailure)
  /// Once a turn: after a wake, after all of the above, and at the moment it asked for. Gives the
  /// moment of `Monitor.moment(after:)` to be called at the latest. The link is nil while there is
  /// no connection.
  func work(_ link: BrokerLink?) -> Int64?
}

/// How a connection is.
public enum BrokerState: Equatable, Sendable {
  /// It is being made.
  case connecting
  /// There is one, since this time in nanoseconds since 1970.
  case connected(since: Int64)
  /// There is none for this reason, and the next try is at this moment of CLOCK_MONOTONIC.
  case waiting(until: Int64, BrokerFailure)
  /// It has not been started, or has ended for good.
  case closed
}
