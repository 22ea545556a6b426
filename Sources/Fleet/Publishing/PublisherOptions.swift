public import Gathering

/// How a sink publishes. Durations are in nanoseconds.
public struct PublisherOptions: Equatable, Sendable {
  /// Of which sources every reading is sent as rows.
  public enum Rows: String, CaseIterable, Sendable {
    /// Those whose readings come faster than states are sent.
    /// With a spool all.
    case auto
    case always
    case never
  }

  /// The name of this machine; nil for its host name if that is allowed, or else a digest.
  public var device: String?
  /// The personal categories that leave the machine; the context must allow them, too.
  public var allow = Allowance.none
  /// Of which sources every reading is sent as rows.
  public var rows = Rows.auto
  /// The shortest time between two states of a source.
  public var stateInterval: Int64 = 1_000_000_000
  /// After how long a state is repeated that has not changed; at least 10 s.
  public var heartbeat: Int64 = 300_000_000_000
  /// How long a row waits at most for others.
  public var batchInterval: Int64 = 500_000_000
  /// How long a message of rows becomes, in bytes: at most 1 MiB.
  public var batchBytes = 65_536
  /// The most memory for rows until the broker has them, in bytes; the oldest beyond it are lost
  /// and counted.
  public var memoryLimit = 16 << 20
  /// The quality of service of rows: 1, or 0 to send each once.
  public var qos: Int32 = 1
  /// The prefix below which Home Assistant is told of all that is published, usually
  /// `homeassistant`; empty for none.
  public var discovery = ""
  /// The folder that keeps rows until the broker has acknowledged them; nil for none.
  public var spool: String?
  /// How much it may take, in bytes; the oldest rows beyond it are lost and counted.
  public var spoolBytes = 1 << 30
  /// How many bytes a second of what it holds are sent at most; 0 for as many as go.
  public var drainRate: Int64 = 0

  /// Whether the rows of every series are sent.
  var sendsAllRows: Bool { rows == .always || rows == .auto && spool != nil }

  /// Everything as usual.
  public init() {}

  /// Throws `invalidArgument` for what is out of range.
  func check() throws(SourceError) {
    guard stateInterval > 0, batchInterval > 0 else {
      throw .invalidArgument("the intervals of a publisher must be greater than 0")
    }
    guard heartbeat >= 10_000_000_000 else {
      throw .invalidArgument("heartbeat must be at least 10 s")
    }
    guard (4096...1 << 20).contains(batchBytes) else {
      throw .invalidArgument("batch_bytes must be from 4096 to 1048576")
    }
    guard (1 << 16...1 << 30).contains(memoryLimit) else {
      throw .invalidArgument("memory_limit must be from 65536 bytes to 1 GiB")
    }
    guard qos == 0 || qos == 1 else { throw .invalidArgument("qos must be 0 or 1") }
    if !discovery.isEmpty { try FleetAddress.check(topics: discovery, of: "discovery") }
    if let spool {
      guard !spool.isEmpty, !spool.utf8.contains(0) else {
        throw .invalidArgument("spool must be the path of a folder")
      }
      guard qos == 1 else { throw .invalidArgument("a spool needs qos 1") }
    }
    guard spoolBytes >= 1 << 20 else {
      throw .invalidArgument("spool_bytes must be at least 1 MiB")
    }
    guard drainRate >= 0 else { throw .invalidArgument("drain_rate must not be below 0") }
    if let device { try MachineName.check(device) }
  }
}
