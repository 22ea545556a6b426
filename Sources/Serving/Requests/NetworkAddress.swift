import Glibc

/// The bytes of an address of IPv4 or IPv6, however it is written.
struct NetworkAddress: Equatable {
  private let bytes: [UInt8]

  /// The address that a text is; nil for a name.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  /// Whether it stands for all addresses of the machine.
  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether it is one of this machine alone.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }
}
