import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct NetworkTests {
  private let laptop: Machine
  private let server: Machine

  init() throws {
    laptop = try machine(named: "laptop")
    server = try machine(named: "server")
  }

  @Test func `every attribute of an interface lands in its own property`() throws {
    let values = try KindHarness(Network(), machine: laptop).read("eno1")
    #expect(values.text("state") == "up")
    #expect(values.payload("carrier") == .bool(true))
    #expect(values.text("type") == "ethernet")
    #expect(values.payload("speed") == .double(1_000_000_000))
    #expect(values.payload("mtu") == .int(1500))
    let counters = [
      "rx_bytes", "tx_bytes", "rx_packets", "tx_packets", "rx_errors", "tx_errors", "rx_dropped",
      "tx_dropped",
    ]
    for (index, key) in counters.enumerated() {
      #expect(values.payload(key) == .int(Int64(1001 + index)), "\(key)")
    }
    #expect(values.text("mac") == "00:1B:21:AB:CD:EF")
    #expect(values.text("interface") == "eno1")
    #expect(values.status("ipv4_addresses") == .unsupported)
    #expect(
      values.text("ipv6_addresses") == "2001:db8::42/64 fe80::21b:21ff:feab:cdef/64")
    #expect(values.reason("rx_rate") == "needs two readings")
  }

  @Test func `an address built from a MAC is left out without mac (P1, P4)`() throws {
    let harness = KindHarness(Network(), machine: laptop, allow: .none)
    let values = try harness.read("eno1")
    #expect(values.text("ipv6_addresses") == "2001:db8::42/64")
    #expect(values.status("mac") == .permission)
    let raw = try #require(try harness.raw("eno1", "ipv6_addresses"))
    #expect(raw.bytes.lenientText == "20010db8000000000000000000000042 01 40 00 80     eno1\n")
  }

  @Test func `enumerated names give way to places, the kernel's name stays an alias (N6)`() throws {
    let found = KindHarness(Network(), machine: server).discover().instances
    #expect(found.first?.isAggregate == true)
    let names = found.dropFirst().map(\.name)
    #expect(
      names == [
        "bond0", "br0", "br0.7", "can0", "virtio2", "pci-0000:00:04.0", "wg0", "modem",
      ])
    #expect(found.first { $0.name == "pci-0000:00:04.0" }?.aliases == ["eth1"])
    #expect(found.filter(\.isMember).map(\.label) == ["eth0", "eth1", "wwan0"])
  }

  @Test(arguments: [
    ("bond0", "bond"), ("br0", "bridge"), ("br0.7", "vlan"), ("wg0", "tunnel"),
    ("wwan0", "cellular"), ("can0", "other"), ("eth0", "ethernet"),
  ])
  func `types come from device type and hardware type`(name: String, type: String) throws {
    #expect(try KindHarness(Network(), machine: server).read(name).text("type") == type)
  }

  @Test func `sentinels are no data (V6)`() throws {
    let harness = KindHarness(Network(), machine: server)
    #expect(try harness.read("eth0").status("speed") == .noData)
    #expect(try harness.read("br0").text("state") == "lower_layer_down")
    #expect(try harness.read("br0").status("speed") == .unsupported)
    #expect(try harness.read("wg0").status("mac") == .noData)
    let loopback = try KindHarness(Network(), machine: laptop).read("lo")
    #expect(loopback.text("type") == "loopback")
    #expect(loopback.status("mac") == .noData)
    #expect(loopback.text("ipv6_addresses") == "::1/128")
  }

  @Test func `EINVAL while down is no data`() throws {
    let files = AlteredFiles(over: laptop.files)
    for name in ["carrier", "speed"] { files.alter("/sys/class/net/eno1/\(name)", .failing(22)) }
    let values = try KindHarness(Network(), machine: laptop.with(files: files)).read("eno1")
    #expect(values.status("carrier") == .noData)
    #expect(values.status("speed") == .noData)
    #expect(values["speed"]?.absence?.errno == 22)
  }

  @Test func `the aggregate sums interfaces with a device`() throws {
    let values = try KindHarness(Network(), machine: laptop).read("aggregate")
    #expect(values.payload("rx_bytes") == .int(1001 + 2001))
    #expect(values.payload("tx_dropped") == .int(1008 + 2008))
    #expect(values.text("state") == "up")
    for key in ["speed", "mtu", "ipv4_addresses", "ipv6_addresses", "mac", "interface"] {
      #expect(values.status(key) == .noData, "\(key)")
    }
  }

  @Test func `rates are growth over time and a counter that fell starts again (I8)`() throws {
    let files = AlteredFiles(over: laptop.files)
    let harness = KindHarness(Network(), machine: laptop.with(files: files))
    let folder = "/sys/class/net/eno1/statistics"
    let values = try harness.readTwice("eno1", apart: 2) {
      files.write("5001\n", to: "\(folder)/rx_bytes")
      files.write("7\n", to: "\(folder)/tx_bytes")
    }
    #expect(values.payload("rx_rate") == .double(2000))
    #expect(values.reason("tx_rate") == "needs two readings")
  }

  @Test func `a machine without the class has no hardware, without remedy (A1)`() throws {
    let files = try machine(named: "container")
    let discovery = Network().discover(on: files)
    #expect(discovery.instances.isEmpty)
    #expect(discovery.absence.state == .noHardware)
    #expect(discovery.absence.detail.hasPrefix("/sys/class/net"))
  }

  @Test func `a hostile file costs its own value alone (M4, V5)`() throws {
    var files: [String: HostileFile] = [
      "operstate": HostileFile(own: ["state"]), "carrier": HostileFile(own: ["carrier"]),
      "speed": HostileFile(own: ["speed"]), "mtu": HostileFile(own: ["mtu"]),
      "type": HostileFile(own: ["type"]), "uevent": HostileFile(derived: ["type"]),
      "address": HostileFile(own: ["mac"]),
      "if_inet6": HostileFile(derived: ["ipv6_addresses"]),
      "name_assign_type": HostileFile(),
    ]
    for key in Network.table.map(\.key) where key.hasPrefix("rx_") || key.hasPrefix("tx_") {
      files[key] = HostileFile(own: [key])
    }
    try expectOnlyOwnValuesChange(Network(), on: laptop, instance: "eno1", files: files)
  }

  @Test(arguments: [
    ([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1], "2001:db8::1:0:0:1/64"),
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1], "::ffff:192.0.2.1/64"),
    ([0x20, 1, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6], "2001:0:1:2:3:4:5:6/64"),
    ([0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "fe80::/64"),
  ])
  func `IPv6 is written as RFC 5952 says`(bytes: [UInt8], text: String) {
    let address = InterfaceAddress(
      interface: "x", isIPv6: true, bytes: bytes, prefixLength: 64)
    #expect(address.text == text)
  }
}
