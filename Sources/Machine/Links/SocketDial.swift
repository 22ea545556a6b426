import Glibc
import Ground

extension DescriptorLink {
  /// Lines from a gpsd behind a TCP port.
  public init(to address: ServiceAddress) {
    self.init(named: "gkit-gpsd") { wake throws(SystemError) in
      try SocketDial(address: address, wake: wake).connected()
    }
  }

  /// Lines of at most 1024 bytes from an upsd behind a TCP port, which is told of the end.
  public init(toUpsd address: ServiceAddress) {
    let manner = LineManner(longestLine: 1024, farewell: "LOGOUT\n")
    self.init(named: "gkit-upsd", manner) { wake throws(SystemError) in
      try SocketDial(address: address, wake: wake).connected()
    }
  }
}

/// Connects to a TCP port, without sitting in connect(2).
private struct SocketDial {
  let address: ServiceAddress
  let wake: WakeDescriptor

  /// How long one address is tried.
  private static let patience: Int32 = 2000

  /// A socket connected to the first address of the host that accepts; throws the error of the last
  /// one.
  func connected() throws(SystemError) -> Descriptor {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(address.host, String(address.port), &hints, &list)
    // A name that does not resolve is a host that cannot be reached.
    guard failure == 0 else {
      throw SystemError(failure == EAI_SYSTEM ? errno : EHOSTUNREACH, at: address.text)
    }
    defer { freeaddrinfo(list) }
    var last: Int32 = EHOSTUNREACH
    for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
      guard let entry else { break }
      do throws(SystemError) {
        return try connect(entry.pointee)
      } catch {
        last = error.code
      }
    }
    throw SystemError(last, at: address.text)
  }

  private func connect(_ entry: addrinfo) throws(SystemError) -> Descriptor {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(entry.ai_family, entry.ai_socktype | flags, entry.ai_protocol)
    guard number >= 0 else { throw SystemError(errno, at: address.text) }
    let descriptor = Descriptor(owning: number)
    // A host that vanishes without a word is found out at last.
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_KEEPALIVE, &yes, socklen_t(MemoryLayout<Int32>.size))
    if Glibc.connect(number, entry.ai_addr, entry.ai_addrlen) == 0 { return descriptor }
    guard errno == EINPROGRESS else { throw SystemError(errno, at: address.text) }
    var asked = [
      pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
    ]
    let count = poll(&asked, 2, Self.patience)
    if asked[0].revents != 0 { throw SystemError(ECANCELED, at: address.text) }
    if count <= 0 { throw SystemError(ETIMEDOUT, at: address.text) }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size)
    if code != 0 { throw SystemError(code, at: address.text) }
    return descriptor
  }
}
