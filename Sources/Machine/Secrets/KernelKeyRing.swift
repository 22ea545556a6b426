import CLinux
import Glibc

/// The key ring of the user in the kernel: it forgets at a restart, and never writes to a disk.
///
/// A secret holds 32 767 bytes at most. See keyrings(7).
public struct KernelKeyRing: SecretStore {
  /// The key ring of the user this process runs as.
  public init() {}

  /// False.
  public var isPersistent: Bool { false }

  /// Throws `missing` when the kernel has no key rings, or lets this process use none.
  public func check() throws(SecretFailure) {
    let answer = clinux_key_find("gatheredkit")
    if answer < 0 && Self.isAbsent(-answer) { return }
    if answer < 0 { throw Self.missing(-answer) }
  }

  /// The content of a key.
  public func read(_ key: String, of service: String) throws(SecretFailure) -> [UInt8]? {
    let number = clinux_key_find(Self.description(key, service))
    guard number >= 0 else {
      if Self.isAbsent(-number) { return nil }
      throw Self.failure(-number)
    }
    var bytes = [UInt8](repeating: 0, count: 32_767)
    let length = clinux_key_read(number, &bytes, bytes.count)
    guard length >= 0 else {
      // The key was removed between the two calls.
      if Self.isAbsent(Int32(-length)) { return nil }
      throw Self.failure(Int32(-length))
    }
    bytes.removeLast(bytes.count - Int(min(length, 32_767)))
    return bytes
  }

  /// Adds a key, or gives it another content.
  public func write(
    _ secret: [UInt8], _ key: String, of service: String
  ) throws(SecretFailure) {
    let number = clinux_key_add(Self.description(key, service), secret, secret.count)
    if number < 0 { throw Self.failure(-number) }
  }

  /// Takes a key from the ring.
  public func remove(_ key: String, of service: String) throws(SecretFailure) {
    let number = clinux_key_find(Self.description(key, service))
    let answer = number < 0 ? number : clinux_key_remove(number)
    if answer < 0 && !Self.isAbsent(-answer) { throw Self.failure(-answer) }
  }

  /// The name of a key, built so that different parts never give the same name.
  private static func description(_ key: String, _ service: String) -> String {
    "gatheredkit:\(service.utf8.count):\(service):\(key)"
  }

  private static func isAbsent(_ code: Int32) -> Bool {
    [ENOKEY, EKEYREVOKED, EKEYEXPIRED].contains(code)
  }

  private static func missing(_ code: Int32) -> SecretFailure {
    .missing(
      reason: "the kernel's key ring refuses: \(String(cString: strerror(code)))", package: nil)
  }

  private static func failure(_ code: Int32) -> SecretFailure {
    [ENOSYS, EPERM, EACCES].contains(code)
      ? missing(code)
      : .failed("the kernel's key ring: \(String(cString: strerror(code)))", errno: code)
  }
}
