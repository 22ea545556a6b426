/// What a server gives at most (serve section 4).
public enum Limits {
  /// Connections at once.
  public static let connections = 64
  /// Event streams at once.
  public static let streams = 16
  /// Sources of one stream.
  public static let sourcesOfStream = 32
  /// The shortest interval that a stream may ask for, in nanoseconds.
  public static let minimumInterval: Int64 = 2_000_000
  /// Rows a second of one stream, of all its sources.
  public static let rowsPerSecond = 2000
  /// The line of a request and its header fields, in bytes.
  public static let headBytes = 16 << 10
  /// The body of a request, in bytes.
  public static let bodyBytes = 64 << 10
  /// How long a header may take, in nanoseconds.
  public static let headTime: Int64 = 10_000_000_000
  /// How long a connection may be idle, in nanoseconds.
  public static let idleTime: Int64 = 60_000_000_000
  /// What waits for a stream's client at most, in bytes.
  public static let queuedBytes = 512 << 10
  /// How long a client may take nothing, in nanoseconds.
  public static let stallTime: Int64 = 30_000_000_000
  /// Between two comments in a stream that has nothing else to say, in nanoseconds.
  public static let commentTime: Int64 = 15_000_000_000
  /// Between two columns of a fast source, in nanoseconds.
  public static let frameTime: Int64 = 50_000_000
}
