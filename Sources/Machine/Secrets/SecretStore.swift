/// Where secrets are kept: named by a service and a key, each a few bytes.
///
/// Calls may wait for a daemon, and for a person who is asked to unlock it.
public protocol SecretStore: Sendable {
  /// Whether what is stored survives a restart of the computer.
  var isPersistent: Bool { get }
  /// The secret of a key; nil when there is none.
  func read(_ key: String, of service: String) throws(SecretFailure) -> [UInt8]?
  /// Stores a secret in place of any before.
  func write(_ secret: [UInt8], _ key: String, of service: String) throws(SecretFailure)
  /// Removes a secret; none is removed without complaint.
  func remove(_ key: String, of service: String) throws(SecretFailure)
}

/// Why a secret could not be kept or had.
public enum SecretFailure: Error, Equatable, Sendable {
  /// There is no such place, with one clause saying why and, if known, what to install.
  case missing(reason: String, package: String?)
  /// It is locked, and was not unlocked.
  case locked
  /// No answer came in time.
  case timeout
  /// The caller gave up.
  case interrupted
  /// Anything else, with one sentence and an errno where there is one.
  case failed(String, errno: Int32)
}

/// Who finds the place for secrets of this computer; asked at every call until there is one.
public protocol SecretStoreFinder: Sendable {
  /// The place. Throws `missing` when there is none.
  func find() throws(SecretFailure) -> any SecretStore
}
