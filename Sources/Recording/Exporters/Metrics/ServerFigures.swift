/// What a server tells of itself (serve W32).
public struct ServerFigures: Equatable, Sendable {
  /// How many clients are connected.
  public var connections: Int
  /// How many event streams are open.
  public var streams: Int
  /// How many rows slow clients have not got since the server began.
  public var lostRows: UInt64

  /// The figures of one moment.
  public init(connections: Int, streams: Int, lostRows: UInt64) {
    (self.connections, self.streams, self.lostRows) = (connections, streams, lostRows)
  }
}
