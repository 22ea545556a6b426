public import Ground
public import Machine

/// Graphics cards that show what a test says.
public final class FixtureDisplays: DisplayOpener {
  private struct State {
    var modes: [String: DisplayMode] = [:]
    var openFault: Int32?
    var readFault: Int32?
    var openCount = 0
  }

  private let state = Lock(State())

  /// Cards whose connectors show nothing.
  public init() {}

  /// How many cards were opened so far.
  public var openCount: Int { state.withLock(\.openCount) }

  /// Sets what a connector of a card shows, `card0-eDP-1`; nil for nothing.
  public func show(_ mode: DisplayMode?, on connector: String) {
    state.withLock { $0.modes[connector] = mode }
  }

  /// Makes opening and asking cards fail with an errno; nil mends it.
  public func fail(opening: Int32? = nil, asking: Int32? = nil) {
    state.withLock { state in
      state.openFault = opening
      state.readFault = asking
    }
  }

  /// Opens a card.
  public func open(card: String) throws(SystemError) -> any DisplayCard {
    try state.withLock { state throws(SystemError) in
      if let code = state.openFault { throw SystemError(code, at: card) }
      state.openCount += 1
    }
    return FixtureCard(displays: self, card: card)
  }

  fileprivate func mode(of connector: String) throws(SystemError) -> DisplayMode? {
    try state.withLock { state throws(SystemError) in
      if let code = state.readFault { throw SystemError(code, at: connector) }
      return state.modes[connector]
    }
  }
}

private final class FixtureCard: DisplayCard {
  let displays: FixtureDisplays
  let card: String

  init(displays: FixtureDisplays, card: String) {
    self.displays = displays
    self.card = card
  }

  func mode(ofConnector name: String) throws(SystemError) -> DisplayMode? {
    try displays.mode(of: "\(card)-\(name)")
  }
}
