import Glibc

/// The addresses of a host.
enum BrokerNames {
  /// The addresses in numbers, in the order in which they are to be tried. Asks name servers, and
  /// so may take long.
  static func addresses(of address: BrokerAddress) throws(BrokerFailure) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let outcome = getaddrinfo(address.host, nil, &hints, &list)
    guard outcome == 0 else {
      let code = outcome == EAI_SYSTEM ? errno : EHOSTUNREACH
      throw .unreachable(address.text, "its name leads to no address", errno: code)
    }
    defer { freeaddrinfo(list) }
    var found: [String] = []
    for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
      guard let entry else { break }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = entry.pointee.ai_addrlen
      let failure = getnameinfo(
        entry.pointee.ai_addr, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
      let text = String(
        decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if failure == 0, !found.contains(text) { found.append(text) }
    }
    return found
  }
}
