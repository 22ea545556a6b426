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
      let found = first(in: table) { row in
        row.port == address.port && row.accepts(address.host, isSix: isSix)
      }
      if let found, found != .nothing { return found }
      isKnown = isKnown || found != nil
    }
    return isKnown ? .nothing : .unknown
  }

  /// Looks through the sockets of a table that listen, which come first; nil if it cannot be read.
  ///
  /// A row at a time, and no further: the kernel looks through its whole table of connections for
  /// one row more, or for the end, which takes milliseconds.
  private func first(in table: String, where isWanted: (Row) -> Bool) -> Finding? {
    guard let file = try? files.open(table) else { return nil }
    var piece = [UInt8](repeating: 0, count: Self.rowLength)
    var splitter = LineSplitter(limit: 2 * Self.rowLength)
    var offset = 0
    while true {
      guard let count = try? piece.withUnsafeMutableBytes({ try file.read(at: offset, into: $0) })
      else { return nil }
      // What is captured may lack the last line's end.
      let lines = splitter.lines(in: count == 0 ? [0x0A] : piece[..<count])
      for row in lines.compactMap({ Row($0[...]) }) {
        guard row.isListening else { return .nothing }
        if isWanted(row) { return .listener(inode: row.inode) }
      }
      if count == 0 { return .nothing }
      offset += count
    }
  }

  /// What a row of IPv4 is padded to; those of IPv6 are about as long.
  private static let rowLength = 150

  /// A socket: whether it listens, its address in the kernel's hexadecimal, its port and its inode.
  private struct Row {
    let isListening: Bool
    let address: String
    let port: UInt16
    let inode: UInt64

    /// `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`
    init?(_ line: ArraySlice<UInt8>) {
      let words = line.split(separator: 0x20)
      guard words.count > 9 else { return nil }
      isListening = words[3].elementsEqual("0A".utf8)
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
