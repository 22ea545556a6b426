import Gathering

/// How a recording is made. Durations are in nanoseconds.
public struct RecorderOptions: Equatable, Sendable {
  /// What is to be done where there is such a file already.
  public enum Existing: Sendable {
    /// The recorder is refused with EEXIST.
    case refuse
    /// An unfinished end is removed, and the recording continues.
    case append
    /// All files of that recording are removed.
    case overwrite
  }

  /// What is to be done where there is such a file already.
  public var existing = Existing.refuse
  /// The most rows of one block, 1 to 65 536.
  public var blockRows = 4096
  /// About how much memory the rows of one block take at most, in bytes, up to 4 MiB.
  public var blockBytes = 256 << 10
  /// How long a row waits at most for its block to be written.
  public var blockInterval: Int64 = 1_000_000_000
  /// How long a block waits at most to be on the device.
  public var syncInterval: Int64 = 1_000_000_000
  /// The most memory for rows and blocks until they are on the device, in bytes; rows beyond it are
  /// lost and counted.
  public var memoryLimit = 16 << 20
  /// A file about this long is followed by another; nil for one file, however long.
  public var rotateBytes: Int?
  /// A file so old is followed by another; nil for one file, however old.
  public var rotateInterval: Int64?
  /// How many files are kept, the present one included; nil for all.
  public var keep: Int?

  /// One file, written each second.
  public init() {}

  func check() throws(SourceError) {
    guard (1...Format.rowLimit).contains(blockRows), (1...4 << 20).contains(blockBytes),
      blockInterval > 0, syncInterval > 0, memoryLimit > 0, rotateBytes ?? 1 > 0,
      rotateInterval ?? 1 > 0, keep ?? 1 > 0
    else { throw .invalidArgument("the options of a recording must be greater than 0") }
  }
}
