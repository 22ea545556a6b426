import Ground
public import Machine

/// A place for secrets in memory, which a test locks, breaks and takes away.
public final class FixtureSecrets: SecretStore, SecretStoreFinder {
  private struct State: Sendable {
    var secrets: [[UInt8]: [UInt8]] = [:]
    var failure: SecretFailure?
  }

  private let state = Monitor(State())
  /// Whether it says that what it holds survives a restart.
  public let isPersistent: Bool

  /// An empty place.
  public init(isPersistent: Bool = true) { self.isPersistent = isPersistent }

  /// Makes every call fail; nil lets them succeed again.
  public func fail(with failure: SecretFailure?) { state.withLock { $0.failure = failure } }

  /// All that is stored, in no order.
  public var secrets: [[UInt8]] { state.withLock { Array($0.secrets.values) } }

  /// Itself, unless it fails.
  public func find() throws(SecretFailure) -> any SecretStore {
    try check()
    return self
  }

  /// What was stored.
  public func read(_ key: String, of service: String) throws(SecretFailure) -> [UInt8]? {
    try check()
    return state.withLock { $0.secrets[Self.name(key, service)] }
  }

  /// Stores it in memory.
  public func write(
    _ secret: [UInt8], _ key: String, of service: String
  ) throws(SecretFailure) {
    try check()
    state.withLock { $0.secrets[Self.name(key, service)] = secret }
  }

  /// Forgets it.
  public func remove(_ key: String, of service: String) throws(SecretFailure) {
    try check()
    // Plain bytes.
    state.withLock { _ = $0.secrets.removeValue(forKey: Self.name(key, service)) }
  }

  /// As bytes, since different texts may be equal as characters.
  private static func name(_ key: String, _ service: String) -> [UInt8] {
    Array(service.utf8) + [0] + Array(key.utf8)
  }

  private func check() throws(SecretFailure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
