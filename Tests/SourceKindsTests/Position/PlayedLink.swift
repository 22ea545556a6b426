import GatheredKitTesting
import Gathering
import Machine

@testable import SourceKinds

/// One wireless interface whose radio cannot be asked, on a bus that the test plays.
struct PlayedLink {
  static let manager = "org.freedesktop.NetworkManager"
  static let wlan = "/org/freedesktop/NetworkManager/Devices/7"
  static let point = "/org/freedesktop/NetworkManager/AccessPoint/93"
  static let iwd = "net.connman.iwd"
  static let station = "/net/connman/iwd/0/4"
  static let network = "/net/connman/iwd/0/4/636166c3a9_psk"
  static let missing = MissingLibrary(
    library: "libnl-genl-3.so.200", reason: "libnl-genl-3.so.200: no such file",
    package: "libnl-genl-3-200")

  let bus = FixtureBus()
  let radio = FixtureRadio([3: WiFiTests.link()])
  let fixture: FixtureMachine

  init(_ more: [String: String] = [:]) throws {
    radio.fail(.opening, with: .missingLibrary(Self.missing))
    let files = [
      "/sys/class/net/wlan0/ifindex": "3\n", "/sys/class/net/wlan0/name_assign_type": "4\n",
      "/sys/class/net/wlan0/wireless/": "",
    ]
    fixture = try FixtureMachine(
      files.merging(more) { $1 }, nature: .live, bus: bus, radio: radio)
  }

  /// NetworkManager with a link whose every number is another, so that crossed wires show.
  static let connection: [String: BusObject] = [
    "/org/freedesktop/NetworkManager": BusObject([
      manager: ["WirelessEnabled": .bool(true), "WirelessHardwareEnabled": .bool(true)]
    ]),
    wlan: BusObject([
      "\(manager).Device": [
        "DeviceType": .uint32(2), "State": .uint32(100), "Interface": .string("wlan0"),
        "ActiveConnection": .path("/"),
      ],
      "\(manager).Device.Wireless": [
        "HwAddress": .string("00:1b:21:ab:cd:ef"), "Bitrate": .uint32(866_700),
        "Mode": .uint32(2), "ActiveAccessPoint": .path(point),
      ],
    ]),
    point: BusObject([
      "\(manager).AccessPoint": [
        "Ssid": .bytes(Array("Café".utf8)), "HwAddress": .string("02:00:00:00:01:0A"),
        "Frequency": .uint32(5180), "Strength": .byte(71), "Flags": .uint32(1),
        "WpaFlags": .uint32(0), "RsnFlags": .uint32(0x188), "Mode": .uint32(2),
      ]
    ]),
  ]

  /// iwd with the same link.
  static let wireless: [String: BusObject] = [
    station: BusObject([
      "\(iwd).Device": [
        "Name": .string("wlan0"), "Address": .string("00:1b:21:ab:cd:ef"),
        "Powered": .bool(true), "Mode": .string("station"),
      ],
      "\(iwd).Station": [
        "State": .string("connected"), "Scanning": .bool(false),
        "ConnectedNetwork": .path(network),
      ],
      "\(iwd).StationDiagnostic": [:],
    ]),
    network: BusObject([
      "\(iwd).Network": [
        "Name": .string("Café"), "Type": .string("psk"), "Connected": .bool(true),
        "Device": .path(station),
      ]
    ]),
  ]

  static let diagnosis: [String: BusValue] = [
    "ConnectedBss": .string("02:00:00:00:01:0a"), "Frequency": .uint32(5180),
    "Channel": .uint16(36), "Security": .string("WPA2-Personal + FT"), "RSSI": .int16(-61),
    "AverageRSSI": .int16(-63), "RxMode": .string("802.11ac"), "RxBitrate": .uint32(60_000),
    "TxBitrate": .uint32(8667), "InactiveTime": .uint32(1448), "ConnectedTime": .uint32(7200),
  ]

  static func dictionary(_ values: [String: BusValue]) -> BusValue {
    .dictionary(of: "sv", values.map { BusPair(.string($0.key), .variant($0.value)) })
  }

  func runConnection() { bus.run(Self.manager, Self.connection) }

  func runWireless(_ told: [String: BusValue] = Self.diagnosis) {
    bus.run(Self.iwd, Self.wireless)
    bus.answer("GetDiagnostics", with: .success([Self.dictionary(told)]))
  }

  /// Changes a property of NetworkManager's by the last word of its interface.
  func set(_ path: String, _ interface: String, _ properties: [String: BusValue?]) {
    bus.set(Self.manager, path, "\(Self.manager).\(interface)", properties)
  }

  func harness(_ allow: Allowance = .all) -> KindHarness {
    KindHarness(WiFi(), machine: fixture.machine, allow: allow)
  }

  func read(_ allow: Allowance = .all) throws -> [String: Outcome] {
    try harness(allow).read("wlan0")
  }
}
