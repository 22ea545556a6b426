import CLinux
import Glibc
import Ground

/// The addresses of this computer's interfaces, by getifaddrs(3).
///
/// The list is read again only after an rtnetlink notice. Notices wait in a socket of their own,
/// which wakes no thread.
final class LiveAddresses: AddressReader {
  private struct State {
    var notices: Descriptor?
    var known: [InterfaceAddress]?
  }

  private let state = Monitor(State())

  func addresses() throws(SystemError) -> [InterfaceAddress] {
    try state.withLock { state throws(SystemError) in
      if state.notices == nil {
        // Before the list is read, so that changes meanwhile are noticed.
        state.notices = try? Descriptor(answer: clinux_network_notices_open(), at: "rtnetlink")
      }
      guard let notices = state.notices else { return try Self.list() }
      let hasChanged = clinux_network_notices_drain(notices.number) != 0
      if !hasChanged, let known = state.known { return known }
      state.known = nil
      let list = try Self.list()
      state.known = list
      return list
    }
  }

  private static func list() throws(SystemError) -> [InterfaceAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { throw SystemError(errno, at: "rtnetlink") }
    defer { freeifaddrs(first) }
    return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { entry in
      guard let entry = entry?.pointee, let bytes = Self.bytes(of: entry.ifa_addr) else {
        return nil
      }
      let mask = Self.bytes(of: entry.ifa_netmask) ?? []
      return InterfaceAddress(
        interface: String(cString: entry.ifa_name), isIPv6: bytes.count == 16, bytes: bytes,
        prefixLength: mask.reduce(0) { $0 + $1.nonzeroBitCount })
    }
  }

  /// The address itself, in network order; nil for other families, as packet.
  private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let inner = raw.load(as: sockaddr_in.self).sin_addr
      return withUnsafeBytes(of: inner) { Array($0) }
    case AF_INET6:
      let inner = raw.load(as: sockaddr_in6.self).sin6_addr
      return withUnsafeBytes(of: inner) { Array($0) }
    default:
      return nil
    }
  }
}
