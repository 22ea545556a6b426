public import Ground
public import Machine

/// Sound that a test brings by hand: what was opened, and what it then hears.
public final class FixtureSound: SoundOpener {
  private struct State {
    var captures: [(id: Int, device: String, receive: @Sendable (SoundEvent) -> Void)] = []
    var opened: [String] = []
    var format = SoundFormat(rate: 48_000, channels: 1)
    var refusal: Int32?
    var obstacle: MissingLibrary?
  }

  private let state = Lock(State())

  /// Devices that open and stay silent.
  public init() {}

  /// The devices opened so far, in order.
  public var opened: [String] { state.withLock(\.opened) }

  /// How many captures are under way.
  public var captureCount: Int { state.withLock(\.captures.count) }

  /// The library said to be missing; nil if it is there.
  public var obstacle: MissingLibrary? { state.withLock(\.obstacle) }

  /// Makes the library missing; nil mends it.
  public func miss(_ library: MissingLibrary?) { state.withLock { $0.obstacle = library } }

  /// Makes opening fail with an errno; nil mends it.
  public func refuse(with code: Int32?) { state.withLock { $0.refusal = code } }

  /// Sets what later captures are negotiated to.
  public func negotiate(_ format: SoundFormat) { state.withLock { $0.format = format } }

  /// Opens a device, which is silent until the test plays.
  public func open(
    _ device: String, receive: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SystemError) -> any Cancellable {
    let (id, format) = try state.withLock { state throws(SystemError) -> (Int, SoundFormat) in
      if let code = state.refusal { throw SystemError(code, at: device) }
      state.opened.append(device)
      state.captures.append((state.opened.count, device, receive))
      return (state.opened.count, state.format)
    }
    receive(.began(format))
    return FixtureCapture(sound: self, id: id)
  }

  /// Brings samples to all captures, as one block.
  public func play(_ samples: [Int16]) {
    samples.withUnsafeBufferPointer { block in
      for receive in receivers { receive(.samples(block)) }
    }
  }

  /// Tells all captures that samples were lost.
  public func lose() {
    for receive in receivers { receive(.lost) }
  }

  /// Breaks all captures and opens them again.
  public func reopen() {
    let format = state.withLock(\.format)
    for receive in receivers { receive(.began(format)) }
  }

  /// Ends all captures with an errno.
  public func end(with code: Int32) {
    let ended = state.withLock { state in
      defer { state.captures = [] }
      return state.captures
    }
    for capture in ended { capture.receive(.ended(SystemError(code, at: capture.device))) }
  }

  private var receivers: [@Sendable (SoundEvent) -> Void] {
    state.withLock { $0.captures.map(\.receive) }
  }

  fileprivate func close(_ id: Int) {
    // Handed out of the lock before it is released.
    _ = state.withLock { state in
      defer { state.captures.removeAll { $0.id == id } }
      return state.captures
    }
  }
}

private struct FixtureCapture: Cancellable {
  let sound: FixtureSound
  let id: Int

  func cancel() { sound.close(id) }
}
