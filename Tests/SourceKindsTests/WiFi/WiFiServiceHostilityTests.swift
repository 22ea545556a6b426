import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// What missing keys, wrong types, sentinels and odd words of a service cost: their own values.
@Suite struct WiFiServiceHostilityTests {
  private let played: PlayedLink

  init() throws { played = try PlayedLink() }

  /// A property of NetworkManager's, and the properties that live of it alone.
  private static let fields: [(path: String, interface: String, name: String, keys: Set<String>)] =
    [
      (PlayedLink.wlan, "Device.Wireless", "HwAddress", ["mac"]),
      (PlayedLink.wlan, "Device.Wireless", "Bitrate", ["tx_bitrate"]),
      (PlayedLink.wlan, "Device.Wireless", "Mode", ["mode"]),
      (PlayedLink.point, "AccessPoint", "Ssid", ["ssid", "ssid_bytes"]),
      (PlayedLink.point, "AccessPoint", "HwAddress", ["bssid"]),
      (PlayedLink.point, "AccessPoint", "Frequency", ["frequency"]),
      (PlayedLink.point, "AccessPoint", "Strength", ["signal_quality"]),
      (PlayedLink.point, "AccessPoint", "Flags", ["security"]),
      (PlayedLink.point, "AccessPoint", "WpaFlags", ["security"]),
      (PlayedLink.point, "AccessPoint", "RsnFlags", ["security"]),
    ]

  @Test(arguments: fields.indices)
  func `V5 each property that is missing or of another type is its own business`(index: Int) throws
  {
    let (path, interface, name, keys) = Self.fields[index]
    played.runConnection()
    let good = try played.read()
    for (value, status) in [
      (BusValue?.none, ValueStatus.noData), (.double(.nan), .failed),
      (.array(of: "s", [.string("x")]), .failed), (.descriptor, .failed),
    ] {
      played.set(path, interface, [name: value])
      let values = try played.read()
      for key in keys { #expect(values.status(key) == status, "\(key)") }
      for (key, outcome) in good where !keys.contains(key) {
        #expect(values[key] == outcome, "\(key)")
      }
    }
  }

  @Test func `V6 what stands for unknown is no data, what cannot be is an error`() throws {
    played.runConnection()
    let cases: [(String, String, BusValue, String, ValueStatus)] = [
      ("Device.Wireless", "Bitrate", .uint32(0), "tx_bitrate", .noData),
      ("Device.Wireless", "Bitrate", .int32(-1), "tx_bitrate", .failed),
      ("Device.Wireless", "Mode", .uint32(0), "mode", .noData),
      ("Device.Wireless", "Mode", .uint32(99), "mode", .ok),
      ("Device.Wireless", "HwAddress", .string(""), "mac", .noData),
      ("Device.Wireless", "HwAddress", .string("00:00:00:00:00:00"), "mac", .noData),
      ("Device.Wireless", "HwAddress", .string("1:2:3:4:5:6"), "mac", .failed),
      ("Device.Wireless", "HwAddress", .string("+1:22:33:44:55:66"), "mac", .failed),
      ("Device.Wireless", "HwAddress", .string("11:22:33:44:55:66:77"), "mac", .failed),
      ("AccessPoint", "Ssid", .bytes([]), "ssid", .noData),
      ("AccessPoint", "Ssid", .bytes([0, 0]), "ssid", .noData),
      ("AccessPoint", "Ssid", .bytes([UInt8](repeating: 65, count: 33)), "ssid", .failed),
      ("AccessPoint", "Frequency", .uint32(0), "frequency", .noData),
      ("AccessPoint", "Frequency", .uint64(.max), "frequency", .failed),
      ("AccessPoint", "Strength", .byte(0), "signal_quality", .ok),
      ("AccessPoint", "Strength", .byte(101), "signal_quality", .failed),
      ("AccessPoint", "RsnFlags", .uint32(0x8000), "security", .noData),
    ]
    for (interface, name, value, key, status) in cases {
      played.runConnection()
      let path = interface == "AccessPoint" ? PlayedLink.point : PlayedLink.wlan
      played.set(path, interface, [name: value])
      #expect(try played.read().status(key) == status, "\(name) \(value)")
    }
  }

  @Test func `the weakest key management an access point accepts is its security`() throws {
    let expected: [(flags: UInt32, wpa: UInt32, robust: UInt32, word: String)] = [
      (0, 0, 0, "open"), (1, 0, 0, "wep"), (0, 0, 0x1000, "open"), (1, 0, 0x888, "owe"),
      (1, 0x144, 0x188, "wpa"), (1, 0, 0x188, "wpa2_personal"), (1, 0, 0x288, "wpa2_enterprise"),
      (1, 0, 0x488, "wpa3_personal"), (1, 0, 0x588, "wpa2_personal"),
      (1, 0, 0x2088, "wpa3_enterprise"),
    ]
    played.runConnection()
    for (flags, wpa, robust, word) in expected {
      played.set(
        PlayedLink.point, "AccessPoint",
        ["Flags": .uint32(flags), "WpaFlags": .uint32(wpa), "RsnFlags": .uint32(robust)])
      #expect(try played.read().text("security") == word, "\(wpa) \(robust)")
    }
  }

  @Test func `an access point of its own has a name and a channel, and no link`() throws {
    played.runConnection()
    played.set(PlayedLink.wlan, "Device.Wireless", ["Mode": .uint32(3)])
    let values = try played.read()
    #expect(values.text("mode") == "access_point")
    #expect(values.payload("connected") == .bool(false))
    #expect(values.text("ssid") == "Café" && values.double("frequency") == 5_180_000_000)
    #expect(values.reason("bssid") == "not connected")
    played.set(PlayedLink.wlan, "Device.Wireless", ["Mode": .uint32(1)])
    #expect(try played.read().payload("connected") == .bool(true))
  }

  @Test func `an access point that is nowhere costs its own values`() throws {
    played.runConnection()
    for point in [BusValue.path("/"), .path("/nowhere"), .path(PlayedLink.wlan), .string("x")] {
      played.set(PlayedLink.wlan, "Device.Wireless", ["ActiveAccessPoint": point])
      let values = try played.read()
      #expect(values.payload("connected") == .bool(true))
      for key in ["ssid", "ssid_bytes", "bssid", "signal_quality", "frequency", "security"] {
        #expect(values.status(key) == .noData, "\(key) \(point)")
      }
      #expect(values.double("tx_bitrate") == 866_700_000)
    }
    // A device that has no word of it may have a connection that was made to one.
    let active = "/org/freedesktop/NetworkManager/ActiveConnection/5"
    played.set(PlayedLink.wlan, "Device.Wireless", ["ActiveAccessPoint": nil])
    #expect(try played.read().status("ssid") == .noData)
    played.set(PlayedLink.wlan, "Device", ["ActiveConnection": .path(active)])
    played.set(active, "Connection.Active", ["SpecificObject": .path(PlayedLink.point)])
    #expect(try played.read().text("ssid") == "Café")
  }

  @Test func `V5 V6 what iwd measures is told one by one`() throws {
    let fields: [String: [String]] = [
      "ConnectedBss": ["bssid"], "Frequency": ["frequency"], "RSSI": ["signal"],
      "TxBitrate": ["tx_bitrate"], "RxBitrate": ["rx_bitrate"], "Security": ["security"],
      "InactiveTime": ["inactive_time"], "ConnectedTime": ["connected_time"],
    ]
    played.runWireless()
    let good = try played.read()
    for (name, keys) in fields {
      for (value, status) in [(BusValue?.none, ValueStatus.noData), (.double(1), .failed)] {
        var told = PlayedLink.diagnosis
        told[name] = value
        played.runWireless(told)
        let values = try played.read()
        for (key, outcome) in good {
          #expect(
            keys.contains(key) ? values.status(key) == status : values[key] == outcome,
            "\(name): \(key)")
        }
      }
    }
    var told = PlayedLink.diagnosis
    told["RSSI"] = .int32(-1000)
    told["TxBitrate"] = .uint32(0)
    told["InactiveTime"] = .int64(-5)
    told["Security"] = .string("FILS")
    played.runWireless(told)
    let values = try played.read()
    #expect(values.status("signal") == .failed && values.status("tx_bitrate") == .noData)
    #expect(values.status("inactive_time") == .failed && values.status("security") == .noData)
  }

  @Test func `iwd's newer words for rates, and its networks without keys, are understood`() throws {
    var told = PlayedLink.diagnosis
    told["TxRate"] = told.removeValue(forKey: "TxBitrate")
    told["RxRate"] = told.removeValue(forKey: "RxBitrate")
    told["Security"] = nil
    played.runWireless(told)
    #expect(try played.read().double("tx_bitrate") == 866_700_000)
    #expect(try played.read().double("rx_bitrate") == 6_000_000_000)
    let network = "net.connman.iwd.Network"
    for (type, word) in [("open", "open"), ("wep", "wep"), ("psk", nil), ("8021x", nil)] {
      played.bus.set(PlayedLink.iwd, PlayedLink.network, network, ["Type": .string(type)])
      #expect(try played.read().text("security") == word, "\(type)")
    }
  }

  @Test func `what iwd answers instead of measuring is told of what it would have measured`() throws
  {
    played.runWireless()
    let keys = ["signal", "bssid", "frequency", "tx_bitrate"]
    let cases: [(String, ValueStatus)] = [
      ("net.connman.iwd.NotConnected", .noData), ("net.connman.iwd.Busy", .noData),
      ("net.connman.iwd.Failed", .failed),
      ("org.freedesktop.DBus.Error.UnknownMethod", .unsupported),
      ("org.freedesktop.DBus.Error.NoReply", .failed),
    ]
    for (name, status) in cases {
      let failure = BusFailure(name: name, message: "no")
      played.bus.answer("GetDiagnostics", with: .failure(failure))
      let values = try played.read()
      for key in keys { #expect(values.status(key) == status, "\(name) \(key)") }
      #expect(values.text("ssid") == "Café")
    }
    played.bus.answer("GetDiagnostics", with: .success([.string("well")]))
    #expect(try played.read().status("signal") == .failed)
    played.bus.set(PlayedLink.iwd, PlayedLink.station, "net.connman.iwd.Station", ["State": nil])
    #expect(try played.read().status("connected") == .noData)
    played.bus.set(
      PlayedLink.iwd, PlayedLink.station, "net.connman.iwd.Station", ["State": .string("odd")])
    #expect(try played.read().status("connected") == .failed)
    #expect(try played.read().status("signal") == .failed)
  }
}
