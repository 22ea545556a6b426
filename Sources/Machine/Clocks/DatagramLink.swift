import Glibc
public import Ground

/// A daemon that answers a datagram with a datagram.
public protocol DatagramLink: Sendable {
  /// Where it listens.
  var address: ServiceAddress { get }
  /// Sends a datagram, and waits so many nanoseconds for one that is accepted as its answer;
  /// others are ignored. Never on the gathering thread.
  ///
  /// Throws ETIMEDOUT where none comes, ECONNREFUSED where nothing listens, EHOSTUNREACH.
  func exchange(
    _ request: [UInt8], within nanoseconds: Int64, accepting isAnswer: ([UInt8]) -> Bool
  ) throws(SystemError) -> [UInt8]
}

/// A daemon behind a UDP port. Each exchange has a socket of its own.
struct UDPLink: DatagramLink {
  let address: ServiceAddress

  init(to address: ServiceAddress) { self.address = address }

  /// The longest answer that is looked at.
  private static let longest = 2048

  func exchange(
    _ request: [UInt8], within nanoseconds: Int64, accepting isAnswer: ([UInt8]) -> Bool
  ) throws(SystemError) -> [UInt8] {
    let socket = try connected()
    let end = Monitor<Void>.moment(after: nanoseconds)
    guard send(socket.number, request, request.count, 0) >= 0 else {
      throw SystemError(errno, at: address.text)
    }
    var buffer = [UInt8](repeating: 0, count: Self.longest)
    while true {
      let count = recv(socket.number, &buffer, buffer.count, 0)
      if count >= 0 {
        let datagram = Array(buffer[..<count])
        if isAnswer(datagram) { return datagram }
      } else if errno != EAGAIN && errno != EINTR {
        throw SystemError(errno, at: address.text)
      }
      let rest = end - Monitor<Void>.moment(after: 0)
      if rest <= 0 { throw SystemError(ETIMEDOUT, at: address.text) }
      var asked = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      poll(&asked, 1, Int32(clamping: (rest + 999_999) / 1_000_000))
    }
  }

  /// A socket that hears nothing but the daemon.
  private func connected() throws(SystemError) -> Descriptor {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(address.host, String(address.port), &hints, &list)
    guard failure == 0, let entry = list?.pointee else {
      throw SystemError(failure == EAI_SYSTEM ? errno : EHOSTUNREACH, at: address.text)
    }
    defer { freeaddrinfo(list) }
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(entry.ai_family, entry.ai_socktype | flags, entry.ai_protocol)
    guard number >= 0 else { throw SystemError(errno, at: address.text) }
    let descriptor = Descriptor(owning: number)
    guard connect(number, entry.ai_addr, entry.ai_addrlen) == 0 else {
      throw SystemError(errno, at: address.text)
    }
    return descriptor
  }
}
