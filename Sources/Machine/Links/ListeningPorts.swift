import Glibc

/// What listens on this computer's TCP ports, by `/proc/net/tcp` and `/proc/net/tcp6`.
///
/// Looking there connects to nothing, so that a daemon behind an activated socket sleeps on.
public struct ListeningPorts: Sendable {
  /// What a look at a port found.
  public enum Finding: Equatable, Sendable {
    /// Something listens; the number is another when that is something else.
    case listener(inode: UInt64)
    case nothing
    /// The tables cannot be read.
    case unknown
  }

  private let files: any FileTree

  /// The ports of the computer whose files these are.
  public init(files: any FileTree) { self.files = files }

  /// Whether something listens where a local address says.
  public func look(at address: ServiceAddress) -> Finding {
    var isKnown = false
    for (table, isSix) in [("/proc/net/tcp", false), ("/proc/net/tcp6", true)] {
      let file = KeptFile(table, in: files, limit: 1 << 22)
      guard let text = try? file.read() else { continue }
      isKnown = true
      for line in text.split(separator: 0x0A).dropFirst() {
        guard let row = Row(line), row.port == address.port else { continue }
        if row.accepts(address.host, isSix: isSix) { return .listener(inode: row.inode) }
      }
    }
    return isKnown ? .nothing : .unknown
  }

  /// A socket that listens: its address in the kernel's hexadecimal, its port and its inode.
  private struct Row {
    let address: String
    let port: UInt16
    let inode: UInt64

    /// `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`
    init?(_ line: ArraySlice<UInt8>) {
      let words = line.split(separator: 0x20)
      guard words.count > 9, words[3].elementsEqual("0A".utf8) else { return nil }
      let local = words[1].split(separator: UInt8(ascii: ":"))
      guard local.count == 2,
        let port = UInt16(String(decoding: local[1], as: UTF8.self), radix: 16),
        let inode = UInt64(String(decoding: words[9], as: UTF8.self))
      else { return nil }
      address = String(decoding: local[0], as: UTF8.self)
      self.port = port
      self.inode = inode
    }

    /// Whether a connection to a local host ends here.
    func accepts(_ host: String, isSix: Bool) -> Bool {
      // Every address; one of IPv6 takes IPv4 too, unless told not to.
      if address.allSatisfy({ $0 == "0" }) { return isSix || host != "::1" }
      let sixLoopback = "00000000000000000000000001000000"
      if isSix { return address == sixLoopback && (host == "::1" || host == "localhost") }
      let wanted = host == "localhost" ? "127.0.0.1" : host
      return Self.hexadecimal(wanted).map { $0 == address } ?? false
    }

    /// An IPv4 address as the table has it: the word in the machine's own order.
    private static func hexadecimal(_ host: String) -> String? {
      var word = in_addr()
      guard inet_pton(AF_INET, host, &word) == 1 else { return nil }
      let digits = String(word.s_addr, radix: 16, uppercase: true)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }
  }
}
