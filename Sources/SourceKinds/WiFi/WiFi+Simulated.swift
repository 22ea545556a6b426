import Gathering

extension WiFi {
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.station(
        "wlp2s0", mac: "02:00:5E:10:00:02", signal: -58, received: 4_000, sent: 1_000)
    case .phone:
      Self.station("wlan0", mac: "02:00:5E:20:00:01", signal: -64, received: 9_000, sent: 2_000)
    }
  }

  /// A station that is connected on channel 36 and receives so many bytes a second.
  private static func station(
    _ name: String, mac: String, signal: Double, received: Int, sent: Int
  ) -> String {
    let id = "wifi|\(name)"
    return """
      0 add \(id)
      0 set \(id)/connected true
      0 set \(id)/ssid "Simulated Air"
      0 set \(id)/ssid_bytes 0x53696d756c6174656420416972
      0 set \(id)/bssid "02:00:5E:30:00:01"
      0 set \(id)/signal \(signal)
      0 wave \(id)/signal sine 6 0.02
      0 absent \(id)/signal_quality unsupported the driver measures in dBm, or not at all
      0 set \(id)/tx_bitrate 433300000
      0 wave \(id)/tx_bitrate sine 43300000 0.02
      0 set \(id)/rx_bitrate 390000000
      0 wave \(id)/rx_bitrate sine 39000000 0.02
      0 set \(id)/frequency 5180000000
      0 set \(id)/channel_width 80000000
      0 set \(id)/mode "station"
      0 set \(id)/security "wpa2_personal"
      0 set \(id)/connected_time 50003600
      0 wave \(id)/connected_time ramp 50000000 0.00000001
      0 set \(id)/inactive_time 0.2
      0 wave \(id)/inactive_time noise 0.2 1
      \(SimulatedCounter.lines("\(id)/rx_bytes", by: received))
      \(SimulatedCounter.lines("\(id)/tx_bytes", by: sent))
      \(SimulatedCounter.lines("\(id)/tx_retries", by: 1))
      0 set \(id)/tx_failed 4
      0 set \(id)/power_save true
      0 set \(id)/interface "\(name)"
      0 set \(id)/mac "\(mac)"
      """
  }
}
