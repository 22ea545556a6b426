public import Recording
public import Values

/// An answer that goes on: text that comes as it becomes known.
///
/// Every call is allowed on any thread.
public protocol LiveAnswer: AnyObject, Sendable {
  /// How much later `pulse` wants to be called, in nanoseconds; nil while it need not be.
  var pulseInterval: Int64? { get }
  /// Whether nothing more is put.
  var isEnded: Bool { get }
  /// Starts it. `wake` is called from then on when text waits or the pulse may have changed. May
  /// block.
  func begin(wake: @escaping @Sendable () -> Void)
  /// Takes text that waits, up to about a number of bytes; empty if none does.
  func take(upTo limit: Int) -> [UInt8]
  /// Puts what is due.
  func pulse()
  /// Keeps proxies awake.
  func comment()
  /// Puts the last text, and lets go of the sources.
  func end(because reason: String)
  /// Lets go of the sources; the client is gone, or will be.
  func finish()
  /// Puts where a replay is.
  func putReplay()
  /// Puts that a recording was ended.
  func putEnd(of name: String, _ statistics: RecorderStatistics)
  /// Sets a value of its own session on a source, if it has one.
  func set(_ value: Value, ofPropertyAt place: Int, of id: SourceIdentifier)
  /// Has the transport look at the pulse again.
  func touch()
}
