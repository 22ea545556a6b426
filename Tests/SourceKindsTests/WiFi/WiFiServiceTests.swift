import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct WiFiServiceTests {
  private let played: PlayedLink

  init() throws { played = try PlayedLink() }

  private func expect(
    _ values: [String: Outcome], _ wanted: [String: Value], from service: String
  ) {
    for key in WiFi.table.map(\.key) {
      if let value = wanted[key] {
        #expect(values.payload(key) == value, "\(key)")
      } else {
        #expect(values.status(key) == .unsupported, "\(key)")
        #expect(values.reason(key)?.hasPrefix(service) == true, "\(key)")
      }
    }
  }

  @Test func `NetworkManager fills what it knows, and of the rest it is told who was asked`() throws
  {
    played.runConnection()
    expect(
      try played.read(),
      [
        "connected": .bool(true), "ssid": .string("Café"),
        "ssid_bytes": .bytes(Array("Café".utf8)), "bssid": .string("02:00:00:00:01:0A"),
        "signal_quality": .double(71), "tx_bitrate": .double(866_700_000),
        "frequency": .double(5_180_000_000), "mode": .string("station"),
        "security": .string("wpa2_personal"), "interface": .string("wlan0"),
        "mac": .string("00:1B:21:AB:CD:EF"),
      ], from: "NetworkManager")
  }

  @Test func `iwd fills what it knows, and of the rest it is told who was asked`() throws {
    played.runWireless()
    expect(
      try played.read(),
      [
        "connected": .bool(true), "ssid": .string("Café"),
        "ssid_bytes": .bytes(Array("Café".utf8)), "bssid": .string("02:00:00:00:01:0A"),
        "signal": .double(-61), "tx_bitrate": .double(866_700_000),
        "rx_bitrate": .double(6_000_000_000), "frequency": .double(5_180_000_000),
        "mode": .string("station"), "security": .string("wpa2_personal"),
        "connected_time": .double(7200), "inactive_time": .double(1.448),
        "interface": .string("wlan0"), "mac": .string("00:1B:21:AB:CD:EF"),
      ], from: "iwd")
    #expect(played.bus.calls.allSatisfy { $0.member == "GetDiagnostics" })
  }

  @Test func `raw values name the interface and property of the bus (V3)`() throws {
    played.runConnection()
    let point = "org.freedesktop.NetworkManager.AccessPoint"
    for (key, text, place) in [
      ("ssid", "Café", "\(point).Ssid"), ("signal_quality", "71", "\(point).Strength"),
      ("frequency", "5180", "\(point).Frequency"), ("security", "392", "\(point).RsnFlags"),
      ("tx_bitrate", "866700", "org.freedesktop.NetworkManager.Device.Wireless.Bitrate"),
      ("connected", "100", "org.freedesktop.NetworkManager.Device.State"),
    ] {
      #expect(try played.harness().raw("wlan0", key) == RawValue(text.utf8, place: place), "\(key)")
    }
    played.bus.fail(PlayedLink.manager, with: FixtureBus.notRunning(PlayedLink.manager))
    played.runWireless()
    for (key, text, place) in [
      ("signal", "-61", "net.connman.iwd.StationDiagnostic.GetDiagnostics.RSSI"),
      ("ssid", "Café", "net.connman.iwd.Network.Name"),
      ("mac", "00:1b:21:ab:cd:ef", "net.connman.iwd.Device.Address"),
    ] {
      #expect(try played.harness().raw("wlan0", key) == RawValue(text.utf8, place: place), "\(key)")
    }
  }

  @Test func `A3 the first backend that can tell speaks, under one id, and names the others`()
    throws
  {
    let instance = { try #require(played.harness().instance("wlan0")) }
    var known = try instance()
    #expect(known.availability.state == .failed && known.availability.backend == "nl80211")
    #expect(known.availability.detail.contains("neither NetworkManager nor iwd"))
    played.runWireless()
    known = try instance()
    #expect(known.availability.state == .available && known.availability.backend == "iwd")
    played.runConnection()
    known = try instance()
    #expect(known.availability.backend == "NetworkManager")
    #expect(known.availability.detail.contains("nl80211"))
    #expect(known.availability.remedy == "install libnl-genl-3-200")
    // Of a link it does not manage, NetworkManager knows nothing.
    played.set(PlayedLink.wlan, "Device", ["State": .uint32(10)])
    #expect(try instance().availability.backend == "iwd")
    played.radio.fail(.opening, with: nil)
    known = try instance()
    #expect(known.availability == Availability(.available, backend: "nl80211"))
    #expect(known.topics == [.radio])
    #expect(try played.read().double("signal") == -61)
    #expect(played.harness().names == ["wlan0"])
  }

  @Test func `whatever keeps nl80211 from being asked, a service stands in (A1, A3)`() throws {
    played.runConnection()
    let errors: [NetlinkError] = [
      .missingLibrary(PlayedLink.missing), .noFamily("the kernel has no netlink family nl80211"),
      .refused(SystemError(1, at: "nl80211")), .failed(code: 16, text: "nl80211: odd"),
    ]
    for error in errors {
      played.radio.fail(.opening, with: error)
      let known = try #require(played.harness().instance("wlan0"))
      #expect(known.availability.state == .available && !known.availability.remedy.isEmpty)
      #expect(try played.read().double("signal_quality") == 71)
    }
  }

  @Test func `P1 P4 names and addresses are withheld from services as from the kernel`() throws {
    for run in [played.runConnection, { played.runWireless() }] {
      run()
      let harness = played.harness(.none)
      let values = try harness.read("wlan0")
      for key in ["ssid", "ssid_bytes", "bssid", "mac"] {
        #expect(values.status(key) == .permission, "\(key)")
        #expect(try harness.raw("wlan0", key) == nil, "\(key)")
      }
      #expect(values.text("security") == "wpa2_personal")
      let words = "\(try #require(harness.instance("wlan0")))"
      for secret in ["Café", "02:00:00:00:01:0A", "00:1B:21"] {
        #expect(!words.uppercased().contains(secret.uppercased()))
      }
      played.bus.fail(PlayedLink.manager, with: FixtureBus.notRunning(PlayedLink.manager))
    }
  }

  @Test func `without a connection the link's values are no data, and say why`() throws {
    played.runConnection()
    for state in [20, 30, 40, 50, 60, 110, 120] as [UInt32] {
      played.set(PlayedLink.wlan, "Device", ["State": .uint32(state)])
      let values = try played.read()
      #expect(values.payload("connected") == .bool(false))
      for key in ["ssid", "bssid", "signal_quality", "tx_bitrate", "frequency", "security"] {
        #expect(values.reason(key) == "not connected", "\(key)")
      }
      #expect(values.text("mac") == "00:1B:21:AB:CD:EF")
    }
    played.bus.fail(PlayedLink.manager, with: FixtureBus.notRunning(PlayedLink.manager))
    played.runWireless()
    for (state, isConnected) in [
      ("roaming", true), ("disconnected", false), ("connecting", false), ("disconnecting", false),
    ] {
      played.bus.set(
        PlayedLink.iwd, PlayedLink.station, "net.connman.iwd.Station", ["State": .string(state)])
      let values = try played.read()
      #expect(values.payload("connected") == .bool(isConnected))
      for key in ["ssid", "bssid", "signal", "security", "connected_time"] {
        #expect(values.status(key) == (isConnected ? .ok : .noData), "\(state) \(key)")
      }
    }
  }

  @Test func `a radio that is turned off is powered off, by a switch or by a service`() throws {
    let state = { played.harness().instance("wlan0")?.availability }
    played.runConnection()
    for (name, words) in [
      ("WirelessEnabled", "nmcli radio wifi on"), ("WirelessHardwareEnabled", "switch"),
    ] {
      let path = "/org/freedesktop/NetworkManager"
      played.bus.set(PlayedLink.manager, path, PlayedLink.manager, [name: .bool(false)])
      #expect(state()?.state == .poweredOff)
      #expect(state()?.remedy.contains(words) == true)
    }
    played.runConnection()
    let folder = "/sys/class/net/wlan0/phy80211/rfkill4"
    try played.fixture.write("1\n", to: "\(folder)/soft")
    #expect(state()?.state == .poweredOff && state()?.backend == "NetworkManager")
    try played.fixture.write("0\n", to: "\(folder)/soft")
    played.bus.fail(PlayedLink.manager, with: FixtureBus.notRunning(PlayedLink.manager))
    played.runWireless()
    played.bus.set(
      PlayedLink.iwd, PlayedLink.station, "net.connman.iwd.Device", ["Powered": .bool(false)])
    #expect(state()?.state == .poweredOff && state()?.remedy.contains("wlan0") == true)
  }

  @Test func `a service that may not be talked to does not hide what is known (A3, E3)`() throws {
    let refusal = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not you")
    played.bus.fail(PlayedLink.manager, with: refusal)
    played.bus.fail(PlayedLink.iwd, with: refusal)
    let known = try #require(played.harness().instance("wlan0"))
    #expect(known.availability.state == .failed && known.availability.backend == "nl80211")
    #expect(throws: SourceError.self) { try WiFi().open(known, on: played.fixture.machine) }
    played.runWireless()
    played.bus.answer("GetDiagnostics", with: .failure(refusal))
    let values = try played.read()
    for key in ["signal", "bssid", "frequency", "connected_time", "security"] {
      #expect(values.status(key) == .permission, "\(key)")
    }
    #expect(values.text("ssid") == "Café" && values.payload("connected") == .bool(true))
  }

  @Test func `an interface that a service alone knows is listed, and one it makes up is not`()
    throws
  {
    played.runConnection()
    played.set(PlayedLink.wlan, "Device", ["Interface": .string("wlan7")])
    #expect(played.harness().names == ["wlan0", "wlan7"])
    #expect(try played.harness().read("wlan7").text("ssid") == "Café")
    for name in ["", "..", "a/b", "wlan0123456789ab", "two words"] {
      played.set(PlayedLink.wlan, "Device", ["Interface": .string(name)])
      #expect(played.harness().names == ["wlan0"], "\(name)")
    }
    played.set(PlayedLink.wlan, "Device", ["Interface": .uint32(7)])
    #expect(played.harness().names == ["wlan0"])
  }
}
