import Gathering

extension Network {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    \(interface("lo", type: "loopback", received: 200, sent: 200))
    0 absent network|lo/speed noData a loop has no speed
    0 set network|lo/mtu 65536
    0 set network|lo/ipv4_addresses "127.0.0.1/8"
    0 set network|lo/ipv6_addresses "::1/128"
    0 set network|lo/mac "00:00:00:00:00:00"
    \(interface("enp0s31f6", type: "ethernet", received: 25_000, sent: 6_000))
    0 set network|enp0s31f6/speed 1000000000
    0 set network|enp0s31f6/ipv4_addresses "192.0.2.17/24"
    0 set network|enp0s31f6/ipv6_addresses "2001:db8::17/64"
    0 set network|enp0s31f6/mac "02:00:5E:10:00:01"
    \(interface("wlp2s0", type: "wifi", received: 4_000, sent: 1_000))
    0 absent network|wlp2s0/speed noData the driver tells no speed
    0 set network|wlp2s0/ipv4_addresses "192.0.2.18/24"
    0 set network|wlp2s0/ipv6_addresses "2001:db8::18/64"
    0 set network|wlp2s0/mac "02:00:5E:10:00:02"
    """

  private static let phone = """
    \(interface("lo", type: "loopback", received: 100, sent: 100))
    0 absent network|lo/speed noData a loop has no speed
    0 set network|lo/mtu 65536
    0 set network|lo/ipv4_addresses "127.0.0.1/8"
    0 set network|lo/ipv6_addresses "::1/128"
    0 set network|lo/mac "00:00:00:00:00:00"
    \(interface("wlan0", type: "wifi", received: 9_000, sent: 2_000))
    0 absent network|wlan0/speed noData the driver tells no speed
    0 set network|wlan0/ipv4_addresses "192.0.2.33/24"
    0 set network|wlan0/ipv6_addresses "2001:db8::33/64"
    0 set network|wlan0/mac "02:00:5E:20:00:01"
    \(interface("wwan0", type: "cellular", received: 1_000, sent: 1_000))
    0 absent network|wwan0/speed noData the driver tells no speed
    0 set network|wwan0/ipv4_addresses "198.51.100.9/30"
    0 absent network|wwan0/ipv6_addresses noData none is assigned
    0 absent network|wwan0/mac noData a modem has none
    """

  /// A network interface that is up and carries this many bytes per second in each direction.
  private static func interface(_ name: String, type: String, received: Int, sent: Int) -> String {
    let id = "network|\(name)"
    return """
      0 add \(id)
      0 set \(id)/state "up"
      0 set \(id)/carrier true
      0 set \(id)/type "\(type)"
      0 set \(id)/mtu 1500
      0 set \(id)/interface "\(name)"
      \(SimulatedCounter.lines("\(id)/rx_bytes", by: received))
      \(SimulatedCounter.lines("\(id)/tx_bytes", by: sent))
      \(SimulatedCounter.lines("\(id)/rx_packets", by: max(received / 1000, 1)))
      \(SimulatedCounter.lines("\(id)/tx_packets", by: max(sent / 1000, 1)))
      0 set \(id)/rx_errors 0
      0 set \(id)/tx_errors 0
      0 set \(id)/rx_dropped 3
      0 set \(id)/tx_dropped 0
      """
  }
}
