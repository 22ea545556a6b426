import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct WiFiTests {
  private static let path = "/sys/class/net/wlan0"

  /// A laptop with one radio, as `radio` describes its interface of index 3.
  static func laptop(
    _ radio: FixtureRadio?, _ more: [String: String] = [:]
  ) throws -> FixtureMachine {
    let files = [
      "\(path)/ifindex": "3\n", "\(path)/name_assign_type": "4\n", "\(path)/wireless/": "",
      "/sys/class/net/lo/ifindex": "1\n", "/sys/class/net/lo/type": "772\n",
    ]
    return try FixtureMachine(files.merging(more) { $1 }, nature: .live, radio: radio)
  }

  /// A link whose every number is another, so that crossed wires show.
  static func link() -> FixtureRadio.Facts {
    var interface = RadioInterface("wlan0", type: 2)
    interface.address = [0, 0x1B, 0x21, 0xAB, 0xCD, 0xEF]
    interface.ssid = Array("Café".utf8)
    interface.frequency = 5180
    interface.width = 3
    var network = RadioNetwork([2, 0, 0, 0, 1, 0x0A])
    network.signal = -5550
    network.quality = 71
    network.capability = 0x0411
    network.elements = [0, 1, 0x58] + Beacons.robust([2])
    var station = RadioStation([2, 0, 0, 0, 1, 0x0A])
    station.isAssociated = true
    station.signal = UInt8(bitPattern: -61)
    station.transmitRate = 8667
    station.receiveRate = 60000
    station.connectedTime = 7200
    station.inactiveTime = 1448
    station.receivedBytes = 5_000_000_001
    station.sentBytes = 5_000_000_002
    station.retries = 17
    station.failures = 3
    var other = RadioStation([2, 0, 0, 0, 9, 9])
    other.isDirect = true
    other.signal = UInt8(bitPattern: -20)
    return FixtureRadio.Facts(
      interface, network: network, stations: [other, station], savesPower: true)
  }

  private func read(
    _ facts: FixtureRadio.Facts, allow: Allowance = .all
  ) throws -> [String: Outcome] {
    let machine = try Self.laptop(FixtureRadio([3: facts]))
    return try withExtendedLifetime(machine) {
      try KindHarness(WiFi(), machine: machine.machine, allow: allow).read("wlan0")
    }
  }

  @Test func `every answer lands in its own property`() throws {
    let values = try read(Self.link())
    let wanted: [String: Value] = [
      "connected": .bool(true), "ssid": .string("Café"), "ssid_bytes": .bytes(Array("Café".utf8)),
      "bssid": .string("02:00:00:00:01:0A"), "signal": .double(-61), "signal_quality": .double(71),
      "tx_bitrate": .double(866_700_000), "rx_bitrate": .double(6_000_000_000),
      "frequency": .double(5_180_000_000), "channel_width": .double(80_000_000),
      "mode": .string("station"), "security": .string("wpa2_personal"),
      "connected_time": .double(7200), "inactive_time": .double(1.448),
      "rx_bytes": .int(5_000_000_001), "tx_bytes": .int(5_000_000_002), "tx_retries": .int(17),
      "tx_failed": .int(3), "power_save": .bool(true), "interface": .string("wlan0"),
      "mac": .string("00:1B:21:AB:CD:EF"),
    ]
    #expect(values.count == wanted.count)
    for (key, value) in wanted { #expect(values.payload(key) == value, "\(key)") }
  }

  @Test func `raw values are the kernel's own counts, each with its place (V3)`() throws {
    let machine = try Self.laptop(FixtureRadio([3: Self.link()]))
    let harness = KindHarness(WiFi(), machine: machine.machine)
    let wanted = [
      "signal": ("195", "nl80211 STA_INFO_SIGNAL"),
      "frequency": ("5180", "nl80211 ATTR_WIPHY_FREQ"),
      "tx_bitrate": ("8667", "nl80211 STA_INFO_TX_BITRATE"), "ssid": ("Café", "nl80211 ATTR_SSID"),
      "inactive_time": ("1448", "nl80211 STA_INFO_INACTIVE_TIME"),
      "mode": ("2", "nl80211 ATTR_IFTYPE"), "connected": ("1", "nl80211 BSS_STATUS"),
    ]
    for (key, (text, place)) in wanted {
      #expect(try harness.raw("wlan0", key) == RawValue(text.utf8, place: place), "\(key)")
    }
  }

  @Test func `names and addresses are kept only where they are allowed (P1, P4)`() throws {
    let machine = try Self.laptop(FixtureRadio([3: Self.link()]))
    let harness = KindHarness(WiFi(), machine: machine.machine, allow: .none)
    let values = try harness.read("wlan0")
    for key in ["ssid", "ssid_bytes", "bssid", "mac"] {
      #expect(values.status(key) == .permission, "\(key)")
      #expect(try harness.raw("wlan0", key) == nil, "\(key)")
    }
    #expect(values.double("signal") == -61)
    let security = try #require(try harness.raw("wlan0", "security"))
    #expect(security.bytes == Beacons.robust([2]))
  }

  @Test func `without a connection the link's values are no data, and say why`() throws {
    var facts = FixtureRadio.Facts(RadioInterface("wlan0", type: 2), savesPower: false)
    facts.interface.address = [0, 0x1B, 0x21, 0xAB, 0xCD, 0xEF]
    // Some drivers tell the channel they sit on.
    facts.interface.frequency = 2412
    let values = try read(facts)
    #expect(values.payload("connected") == .bool(false))
    let own: Set = ["connected", "mode", "power_save", "interface", "mac"]
    for key in WiFi.table.map(\.key) {
      #expect(values.status(key) == (own.contains(key) ? .ok : .noData), "\(key)")
      if !own.contains(key) { #expect(values.reason(key) == "not connected", "\(key)") }
    }
  }

  @Test func `what a driver never tells is unsupported, what it cannot tell now is no data`() throws
  {
    var facts = Self.link()
    facts.stations = [RadioStation([2, 0, 0, 0, 1, 0x0A])]
    facts.network?.quality = nil
    facts.savesPower = nil
    let values = try read(facts)
    #expect(values.double("signal") == -55.5)
    for key in [
      "signal_quality", "connected_time", "inactive_time", "rx_bytes", "tx_bytes", "tx_retries",
      "tx_failed", "power_save",
    ] {
      #expect(values.status(key) == .unsupported, "\(key)")
    }
    #expect(values.status("tx_bitrate") == .noData)
    #expect(values.status("rx_bitrate") == .noData)
  }

  @Test func `the name is that of the beacon where the interface does not tell it`() throws {
    var facts = Self.link()
    facts.interface.ssid = nil
    #expect(try read(facts).text("ssid") == "X")
    facts.network?.elements = [0, 3, 0, 0, 0]
    #expect(try read(facts).reason("ssid") == "the network hides its name")
    facts.interface.ssid = [0xFF, 0x41]
    #expect(try read(facts).text("ssid") == "\u{FFFD}A")
    #expect(try read(facts).payload("ssid_bytes") == .bytes([0xFF, 0x41]))
    facts.interface.ssid = [UInt8](repeating: 0x41, count: 33)
    #expect(try read(facts).status("ssid") == .failed)
  }

  @Test func `under multi-link the station has the address of the whole device`() throws {
    var facts = Self.link()
    facts.stations[1].address = [2, 0, 0, 0, 7, 7]
    let values = try read(facts)
    #expect(values.double("signal") == -61)
    #expect(values.text("bssid") == "02:00:00:00:01:0A")
    facts.network = nil
    #expect(try read(facts).text("bssid") == "02:00:00:00:07:07")
    #expect(try read(facts).payload("connected") == .bool(true))
  }

  @Test func `an access point has a name and a channel, and no link of its own`() throws {
    var facts = Self.link()
    facts.interface.type = 3
    facts.network = nil
    let values = try read(facts)
    #expect(values.text("mode") == "access_point")
    #expect(values.payload("connected") == .bool(false))
    #expect(values.text("ssid") == "Café")
    #expect(values.double("frequency") == 5_180_000_000)
    for key in ["bssid", "signal", "tx_bitrate", "rx_bytes", "connected_time"] {
      #expect(values.reason(key) == "not connected", "\(key)")
    }
  }

  @Test func `an ad-hoc network of two is a link, one of three is none in particular`() throws {
    var facts = Self.link()
    facts.interface.type = 1
    facts.network?.status = 2
    #expect(try read(facts).payload("connected") == .bool(true))
    #expect(try read(facts).status("tx_retries") == .noData)
    facts.stations.removeFirst()
    #expect(try read(facts).payload("tx_retries") == .int(17))
  }

  @Test(arguments: [
    (1, "ibss"), (2, "station"), (3, "access_point"), (6, "monitor"), (7, "mesh"),
    (8, "p2p_client"), (9, "p2p_group_owner"), (0, "other"), (4, "other"), (12, "other"),
    (99, "other"),
  ])
  func `the mode is a word of the catalogue`(type: UInt32, word: String) throws {
    var facts = Self.link()
    facts.interface.type = type
    #expect(try read(facts).text("mode") == word)
  }

  @Test(arguments: [
    (0, 20), (1, 20), (2, 40), (3, 80), (4, 160), (5, 160), (6, 5), (7, 10), (8, 1), (9, 2),
    (10, 4), (11, 8), (12, 16), (13, 320),
  ])
  func `channels are as wide as the kernel's numbers say`(number: UInt32, megahertz: Double) throws
  {
    var facts = Self.link()
    facts.interface.width = number
    #expect(try read(facts).double("channel_width") == megahertz * 1e6)
    facts.interface.width = 14
    #expect(try read(facts).status("channel_width") == .failed)
  }

  @Test func `the signal is a byte that has a sign`() throws {
    var facts = Self.link()
    for (byte, decibels) in [(0x80, -128), (0xFF, -1), (0, 0), (0x14, 20)] as [(UInt8, Double)] {
      facts.stations[1].signal = byte
      #expect(try read(facts).double("signal") == decibels)
    }
    facts.network?.quality = 101
    #expect(try read(facts).status("signal_quality") == .failed)
    facts.stations[1].receivedBytes = .max
    #expect(try read(facts).status("rx_bytes") == .failed)
  }
}
