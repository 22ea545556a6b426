import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

@Suite struct ListeningPortsTests {
  private static let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n"

  private func row(_ address: String, state: String = "0A", inode: Int = 42) -> String {
    let none = "00000000:00000000 00:00000000 00000000"
    return "   0: \(address) 00000000:0000 \(state) \(none)   105        0 \(inode) 1 0 100 0 0\n"
  }

  private func look(
    _ tables: [String: String], at host: String = "127.0.0.1"
  ) throws -> ListeningPorts.Finding {
    let fixture = try FixtureMachine(tables)
    return ListeningPorts(files: fixture.machine.files).look(
      at: ServiceAddress(host: host, port: 2947))
  }

  @Test func `a listener is found by address, port and state`() throws {
    let here = Self.head + row("0100007F:0B84", inode: 1) + row("0100007F:0B83")
    #expect(try look(["/proc/net/tcp": here]) == .listener(inode: 42))
    #expect(try look(["/proc/net/tcp": here], at: "localhost") == .listener(inode: 42))
    #expect(try look(["/proc/net/tcp": here], at: "127.0.0.2") == .nothing)
    #expect(try look(["/proc/net/tcp": here], at: "::1") == .nothing)
    let talking = Self.head + row("0100007F:0B83", state: "01")
    #expect(try look(["/proc/net/tcp": talking]) == .nothing)
    let everywhere = Self.head + row("00000000:0B83")
    #expect(try look(["/proc/net/tcp": everywhere]) == .listener(inode: 42))
  }

  @Test func `nothing is read beyond the listener, or beyond those who listen`() throws {
    let talking = String(repeating: row("0100007F:0B84", state: "01"), count: 50)
    let other = row("0100007F:0B84", inode: 1)
    for (rows, most) in [(other + row("0100007F:0B83") + talking, 3), (other + talking, 3)] {
      let fixture = try FixtureMachine(["/proc/net/tcp": Self.head + rows])
      _ = ListeningPorts(files: fixture.machine.files).look(at: .gpsd)
      #expect((1...most).contains(fixture.files.reads(of: "/proc/net/tcp")))
    }
  }

  @Test func `IPv6 has a table of its own`() throws {
    let loopback = Self.head + row("00000000000000000000000001000000:0B83")
    #expect(try look(["/proc/net/tcp6": loopback], at: "::1") == .listener(inode: 42))
    #expect(try look(["/proc/net/tcp6": loopback]) == .nothing)
    let everywhere = Self.head + row("00000000000000000000000000000000:0B83")
    #expect(try look(["/proc/net/tcp6": everywhere]) == .listener(inode: 42))
  }

  @Test func `without tables nothing is known, and rubbish is nothing`() throws {
    #expect(try look([:]) == .unknown)
    #expect(try look(["/proc/net/tcp": "x\n:::: 0A\n\u{0}\n"]) == .nothing)
  }

  @Test func `the kernel finds who listens by the address alone, and the tables find the same`()
    throws
  {
    let port = try LoopbackServer.freePort()
    let open = [("127.0.0.1", AF_INET), ("::1", AF_INET6)]
    for (host, family) in open where family == AF_INET || Self.hasSix {
      let address = ServiceAddress(host: host, port: port)
      #expect(ListeningPorts.kernelFinding(address) == .nothing)
      let listener = try Self.listener(on: host, family, port)
      let found = ListeningPorts.kernelFinding(address)
      guard case .listener = found else { return #expect(found == .unknown, "\(host)") }
      #expect(found == ListeningPorts(files: RootedFileTree.live).look(at: address))
      let byName = ServiceAddress(host: "localhost", port: port)
      #expect(ListeningPorts.kernelFinding(byName) == found)
      let other = ServiceAddress(host: "127.0.0.2", port: port)
      #expect(ListeningPorts.kernelFinding(other) == .nothing)
      close(listener)
      #expect(ListeningPorts.kernelFinding(address) == .nothing)
    }
    #expect(ListeningPorts.kernelFinding(ServiceAddress(host: "here", port: port)) == .unknown)
  }

  @Test func `who listens everywhere listens at each address`() throws {
    let port = try LoopbackServer.freePort()
    let listener = try Self.listener(on: "0.0.0.0", AF_INET, port)
    defer { close(listener) }
    for host in ["127.0.0.1", "127.9.9.9", "localhost"] {
      let address = ServiceAddress(host: host, port: port)
      let found = ListeningPorts.kernelFinding(address)
      #expect(found == ListeningPorts(files: RootedFileTree.live).look(at: address))
    }
  }

  @Test func `tables are read only where the kernel does not say`() throws {
    for (said, reads) in [(ListeningPorts.Finding.nothing, 0...0), (.unknown, 1...3)] {
      let fixture = try FixtureMachine(["/proc/net/tcp": Self.head])
      let ports = ListeningPorts(files: fixture.machine.files) { _ in said }
      #expect(ports.look(at: .gpsd) == .nothing)
      #expect(reads.contains(fixture.files.reads(of: "/proc/net/tcp")))
    }
  }

  private static var hasSix: Bool { access("/proc/net/if_inet6", F_OK) == 0 }

  private static func listener(on host: String, _ family: Int32, _ port: UInt16) throws -> Int32 {
    let number = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = port.bigEndian
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    let isFour = family == AF_INET
    if isFour {
      inet_pton(family, host, &four.sin_addr)
    } else {
      inet_pton(family, host, &six.sin6_addr)
    }
    let answer = isFour ? Self.bound(number, &four) : Self.bound(number, &six)
    guard answer == 0, listen(number, 1) == 0 else { throw SystemError(errno, at: host) }
    return number
  }

  private static func bound<Address>(_ number: Int32, _ address: inout Address) -> Int32 {
    withUnsafeBytes(of: &address) { bytes in
      bind(
        number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  @Test func `only loopback addresses are this computer's by their own words`() {
    for host in ["localhost", "127.0.0.1", "127.9.9.9", "::1"] {
      #expect(ServiceAddress(host: host, port: 1).isLocal, "\(host)")
    }
    for host in ["127.0.0.1.example", "pi.local", "10.0.0.1", "127.1", "127.0.0.256", "fe80::1"] {
      #expect(!ServiceAddress(host: host, port: 1).isLocal, "\(host)")
    }
    #expect(ServiceAddress(host: "::1", port: 7).text == "[::1]:7")
  }
}
