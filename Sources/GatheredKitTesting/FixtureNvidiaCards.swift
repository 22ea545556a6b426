import Ground
public import Machine

/// Cards of NVIDIA's driver that say what a test says.
public final class FixtureNvidiaCards: NvidiaCards {
  private struct State {
    var readings: [String: NvidiaReading] = [:]
    var failure: NvidiaFailure?
    var asked: [(address: String, staysOpen: Bool)] = []
  }

  private let state = Lock(State())

  /// No card.
  public init() {}

  /// How often each reading was asked for, and whether the library could stay open behind it.
  public var asked: [(address: String, staysOpen: Bool)] { state.withLock(\.asked) }

  /// Sets what the card at an address of PCI says.
  public func show(_ reading: NvidiaReading, at address: String) {
    state.withLock { $0.readings[address] = reading }
  }

  /// Makes every reading fail; nil mends it.
  public func fail(with failure: NvidiaFailure?) { state.withLock { $0.failure = failure } }

  /// What the test made readings fail with.
  public func failure(of address: String) -> NvidiaFailure? { state.withLock(\.failure) }

  /// Takes note of the question, and gives the test's answer: code 6 for a card it has not shown.
  public func read(
    _ address: String, texts: Bool, staysOpen: Bool
  ) throws(NvidiaFailure) -> NvidiaReading {
    try state.withLock { state throws(NvidiaFailure) in
      state.asked.append((address, staysOpen))
      if let failure = state.failure { throw failure }
      guard var reading = state.readings[address] else { throw .card(6) }
      if !texts { reading.texts = nil }
      return reading
    }
  }
}
