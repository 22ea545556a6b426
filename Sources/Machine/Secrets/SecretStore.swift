/// A store of secrets, each a few bytes, named by a service and a key.
///
/// Calls may wait for a daemon, and for a user who is asked to unlock it.
public protocol SecretStore: Sendable {
  /// Whether secrets survive a restart of the computer.
  var isPersistent: Bool { get }
  /// The secret of a key; nil when there is none.
  func read(_ key: String, of service: String) throws(SecretFailure) -> [UInt8]?
  /// Stores a secret in place of any before.
  func write(_ secret: [UInt8], _ key: String, of service: String) throws(SecretFailure)
  /// Removes a secret; none is removed without complaint.
  func remove(_ key: String, of service: String) throws(SecretFailure)
}

/// Why a secret could not be stored or read.
public enum SecretFailure: Error, Equatable, Sendable {
  /// There is no store, with one clause saying why and, if known, the package to install.
  case missing(reason: String, package: String?)
  /// It is locked, and was not unlocked.
  case locked
  /// No answer came in time.
  case timeout
  /// The caller gave up.
  case interrupted
  /// Any other failure, with one sentence and an errno if there is one.
  case failed(String, errno: Int32)
}

/// Finds the store of secrets of this computer; called at every use until one is found.
public protocol SecretStoreFinder: Sendable {
  /// The store. Throws `missing` if there is none.
  func find() throws(SecretFailure) -> any SecretStore
}
