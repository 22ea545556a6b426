public import Machine
import Values

/// Values derived from the machine id, which itself is confidential and never published.
public struct MachineIdentity: Sendable, Hashable {
  /// The 16 bytes of the machine id, or none when the machine has no valid one.
  public let bytes: [UInt8]

  /// The identity of a machine without a valid id.
  public static let none = MachineIdentity(bytes: [])

  /// The identity of a machine with this id of 16 bytes; any other number of bytes counts as no id.
  public init(bytes: [UInt8]) {
    self.bytes = bytes.count == 16 && bytes.contains { $0 != 0 } ? bytes : []
  }

  /// The identity in the text of `/etc/machine-id`: 32 hexadecimal digits.
  ///
  /// Anything else, `uninitialized` and zeros included, counts as none (sources N8).
  public init(parsing text: some Collection<UInt8>) {
    let digits = text.map(hexDigit)
    let body = digits.prefix(32).compactMap { $0 }
    let isEnded = text.dropFirst(32).allSatisfy { [0x0A, 0x0D, 0x20, 0x09].contains($0) }
    guard body.count == 32, isEnded else {
      self = .none
      return
    }
    self.init(bytes: stride(from: 0, to: 32, by: 2).map { body[$0] << 4 | body[$0 + 1] })
  }

  /// The digest that replaces a personal identity in an id, such as an address or a serial number.
  ///
  /// The first 12 hexadecimal digits, lower-case, of HMAC-SHA-256 over the identity, keyed with
  /// the machine id (sources N8).
  public func digest(of identity: some Sequence<UInt8>) -> String {
    SHA256.authenticationCode(of: identity, key: bytes).prefix(6).hexadecimal
  }

  /// The digest of an identity that is text: addresses upper-case with colons, serials trimmed.
  public func digest(of identity: String) -> String {
    digest(of: identity.utf8)
  }

  /// The id of this machine for one application, as machine-id(5) and sd_id128 define it.
  ///
  /// HMAC-SHA-256 of the 16 bytes of the application's id keyed with the machine id, cut to 16
  /// bytes and marked as a random UUID, in 32 lower-case hexadecimal digits. Nil without a valid
  /// machine id or when the application's id is not 16 bytes.
  public func identifier(forApplication application: [UInt8]) -> String? {
    guard bytes.count == 16, application.count == 16 else { return nil }
    var code = Array(SHA256.authenticationCode(of: application, key: bytes).prefix(16))
    code[6] = code[6] & 0x0F | 0x40
    code[8] = code[8] & 0x3F | 0x80
    return code.hexadecimal
  }

  /// The identity of a machine, of which only digests are ever shown.
  public static func of(_ machine: Machine) -> MachineIdentity { of(machine.files) }

  /// The identity of the machine that files are of.
  public static func of(_ files: any FileTree) -> MachineIdentity {
    let text = try? PolledFile("/etc/machine-id", in: files).read()
    return text.map { MachineIdentity(parsing: $0) } ?? .none
  }
}
