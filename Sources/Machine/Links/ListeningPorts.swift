import CLinux
import Glibc

/// The listening TCP ports of a computer: this one's kernel is asked for the one address, by
/// sock_diag, and where it does not say, `/proc/net/tcp` and `/proc/net/tcp6` tell.
///
/// Neither makes a connection, so a daemon behind an activated socket is not started.
public struct ListeningPorts: Sendable {
  /// The result of checking a port.
  public enum Finding: Equatable, Sendable {
    /// Something listens; the number is another when that is something else.
    case listener(inode: UInt64)
    case nothing
    /// The tables cannot be read.
    case unknown
  }

  private let files: any FileTree
  /// What the kernel says; unknown where it is not to be asked.
  private let asked: @Sendable (ServiceAddress) -> Finding

  /// The ports that the tables in these files tell.
  public init(files: any FileTree) {
    self.init(files: files) { _ in .unknown }
  }

  init(files: any FileTree, asking asked: @escaping @Sendable (ServiceAddress) -> Finding) {
    self.files = files
    self.asked = asked
  }

  /// The ports of this computer.
  public static let live = ListeningPorts(files: RootedFileTree.live) { kernelFinding($0) }

  /// Whether a process listens at a local address.
  public func look(at address: ServiceAddress) -> Finding {
    let found = asked(address)
    return found == .unknown ? lookInTables(for: address) : found
  }

  /// What the kernel finds where a connection to an address would end.
  static func kernelFinding(_ address: ServiceAddress) -> Finding {
    let hosts = address.host == "localhost" ? ["127.0.0.1", "::1"] : [address.host]
    var isKnown = false
    for host in hosts {
      var four = in_addr()
      var six = in6_addr()
      var inode: UInt64 = 0
      let answer =
        inet_pton(AF_INET, host, &four) == 1
        ? clinux_listener(AF_INET, &four, address.port, &inode)
        : inet_pton(AF_INET6, host, &six) == 1
          ? clinux_listener(AF_INET6, &six, address.port, &inode) : -EINVAL
      if answer > 0 { return .listener(inode: inode) }
      isKnown = isKnown || answer == 0
    }
    return isKnown ? .nothing : .unknown
  }

  /// The tables cost milliseconds: the kernel looks through all its connections for their ends.
  private func lookInTables(for address: ServiceAddress) -> Finding {
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
      // A captured file may lack the final line feed.
      let lines = splitter.lines(in: count == 0 ? [0x0A] : piece[..<count])
      for row in lines.compactMap({ Row($0[...]) }) {
        guard row.isListening else { return .nothing }
        if isWanted(row) { return .listener(inode: row.inode) }
      }
      if count == 0 { return .nothing }
      offset += count
    }
  }

  /// The length to which rows of IPv4 are padded; those of IPv6 are about as long.
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
      // The wildcard address; that of IPv6 accepts IPv4 too, unless configured otherwise.
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
