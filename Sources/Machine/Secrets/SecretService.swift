import CLinux
public import Ground

/// The Secret Service of the desktop session, used through libsecret.
///
/// It may ask the user to unlock it, and waits up to `patience` for that.
public final class SecretService: SecretStore {
  private let secrets: clinux_secrets
  private let patience: Int64
  private let cancellation: Cancellation?
  private let worker = SerialWorker(named: "gkit-secrets")

  /// Connects to the service. `patience` is in nanoseconds, and `cancellation` ends the attempt.
  ///
  /// Throws `missing` where there is no libsecret, no session bus, or no service on it.
  public init(
    patience: Int64 = 120_000_000_000, cancellation: Cancellation? = nil
  ) throws(SecretFailure) {
    do throws(MissingLibrary) {
      secrets = try Libsecret.table()
    } catch {
      throw .missing(reason: error.reason, package: error.package)
    }
    self.patience = patience
    self.cancellation = cancellation
    try run { call throws(SecretFailure) in try call.check() }
  }

  /// True.
  public var isPersistent: Bool { true }

  /// The secret of the first item with this service and key.
  public func read(_ key: String, of service: String) throws(SecretFailure) -> [UInt8]? {
    try run { call throws(SecretFailure) in try call.read(key, service) }
  }

  /// Stores an item in the default collection.
  public func write(
    _ secret: [UInt8], _ key: String, of service: String
  ) throws(SecretFailure) {
    try run { call throws(SecretFailure) in try call.write(secret, key, service) }
  }

  /// Removes all items with this service and key.
  public func remove(_ key: String, of service: String) throws(SecretFailure) {
    try run { call throws(SecretFailure) in try call.remove(key, service) }
  }

  private func run<Output: Sendable>(
    _ body: @escaping @Sendable (SecretServiceCall) throws(SecretFailure) -> Output
  ) throws(SecretFailure) -> Output {
    if cancellation?.isCancelled == true { throw .interrupted }
    let call = SecretServiceCall(secrets)
    guard let cancellation else { return try run(body, in: call) }
    do throws(SecretFailure) {
      return try cancellation.during({ call.cancel() }) { () throws(SecretFailure) in
        try run(body, in: call)
      }
    } catch {
      throw cancellation.isCancelled ? .interrupted : error
    }
  }

  private func run<Output: Sendable>(
    _ body: @escaping @Sendable (SecretServiceCall) throws(SecretFailure) -> Output,
    in call: SecretServiceCall
  ) throws(SecretFailure) -> Output {
    let outcome = Monitor<Result<Output, SecretFailure>?>(nil)
    let isDone = worker.run(within: patience) {
      let result: Result<Output, SecretFailure>
      do throws(SecretFailure) {
        result = .success(try body(call))
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
    }
    // One that hangs is left behind; its thread takes no other call.
    if isDone { worker.join() } else { call.cancel() }
    guard isDone, let result = outcome.withLock({ $0 }) else { throw .timeout }
    return try result.get()
  }
}

/// Finds the Secret Service of the session, and in its absence the kernel's key ring.
public struct LiveSecretStoreFinder: SecretStoreFinder {
  private let cancellation: Cancellation?

  /// Looks on this computer; `cancellation` ends all calls of the store found.
  public init(cancellation: Cancellation? = nil) { self.cancellation = cancellation }

  /// The first of both that is there.
  public func find() throws(SecretFailure) -> any SecretStore {
    do throws(SecretFailure) {
      return try SecretService(cancellation: cancellation)
    } catch {
      guard case .missing(let reason, let package) = error else { throw error }
      let ring = KernelKeyRing()
      do throws(SecretFailure) {
        try ring.check()
        return ring
      } catch {
        guard case .missing(let second, _) = error else { throw error }
        throw .missing(reason: "\(reason); \(second)", package: package)
      }
    }
  }
}
