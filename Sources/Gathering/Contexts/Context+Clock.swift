import Machine

/// The manual clock (C API R3).
extension Context {
  /// The present position of the manual clock in nanoseconds since opening; nil if the clock runs
  /// by itself.
  public var position: Int64? { virtualLoop.map { $0.clock.now.boot } }

  /// Moves the manual clock to a position, stopping at every due moment in order, and delivers
  /// everything due on the calling thread before it returns (C API R3).
  public func seek(to position: Int64) throws(SourceError) {
    guard let virtualLoop else {
      throw .notSupported("the clock of \(uri) cannot be moved; open with clock=manual")
    }
    try check()
    if CallbackDepth.isInside { throw .wrongThread("the clock cannot be moved inside a callback") }
    try dispatcher.beginSeek()
    defer { dispatcher.endSeek() }
    if position < virtualLoop.clock.now.boot {
      throw .invalidArgument("the clock stands at \(virtualLoop.clock.now.boot) ns, past that")
    }
    var count = dispatcher.deliverQueued()
    while virtualLoop.runNext(upTo: position) {
      count &+= dispatcher.deliverQueued()
      if count > Self.seekLimit {
        throw .limit("more than \(Self.seekLimit) callbacks in one seek")
      }
    }
    virtualLoop.advance(to: position) { _ = dispatcher.deliverQueued() }
    _ = dispatcher.deliverQueued()
  }

  /// How many callbacks one seek may run.
  private static var seekLimit: UInt64 { 1_000_000 }
}
