public import Ground

/// One address of a network interface.
public struct InterfaceAddress: Equatable, Sendable {
  /// The interface's kernel name.
  public var interface: String
  /// Whether it is an IPv6 address.
  public var isIPv6: Bool
  /// The 4 or 16 bytes in network order.
  public var bytes: [UInt8]
  /// The length of the network prefix in bits.
  public var prefixLength: Int

  /// An address of an interface.
  public init(interface: String, isIPv6: Bool, bytes: [UInt8], prefixLength: Int) {
    self.interface = interface
    self.isIPv6 = isIPv6
    self.bytes = bytes
    self.prefixLength = prefixLength
  }
}

/// Lists the addresses of all interfaces, as rtnetlink knows them.
public protocol AddressReader: Sendable {
  /// All IPv4 and IPv6 addresses in the kernel's order.
  func addresses() throws(SystemError) -> [InterfaceAddress]
}
