import Ground

/// A bag of connections that are closed together, in the order they were added.
///
/// Releasing the bag closes them too. A connection closed elsewhere leaves the bag by itself.
public final class Connector: Sendable {
  private struct Member {
    var order: Int
    var connection: Connection
  }

  private struct State {
    var members: [ObjectIdentifier: Member] = [:]
    var nextOrder = 0
  }

  private let state = Lock(State())

  /// Makes an empty bag.
  public init() {}

  deinit {
    LockRank.expectNoLock("lets go of a connector")
    disconnect()
  }

  /// How many open connections it holds.
  public var count: Int { state.withLock { $0.members.count } }

  /// Holds `connection` until it is closed; a closed one is not taken.
  public func add(_ connection: Connection) {
    let isNew = state.withLock { state in
      guard state.members[ObjectIdentifier(connection)] == nil else { return false }
      let member = Member(order: state.nextOrder, connection: connection)
      state.members[ObjectIdentifier(connection)] = member
      state.nextOrder += 1
      return true
    }
    if isNew, !connection.isHeld(by: self) { forget(connection) }
  }

  /// Closes all connections in the order they were added; the connector is then empty and usable
  /// again.
  public func disconnect() {
    let members = state.withLock { state in
      defer { state.members = [:] }
      return state.members.values.sorted { $0.order < $1.order }
    }
    for member in members { member.connection.disconnect() }
  }

  func forget(_ connection: Connection) {
    // The caller holds the connection, so the reference released here is never the last one.
    state.withLock { _ = $0.members.removeValue(forKey: ObjectIdentifier(connection)) }
  }
}
