import GatheredKitTesting
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
