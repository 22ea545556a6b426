import Gathering

extension Network {
  static var about: KindMeaning {
    KindMeaning(
      "network interfaces and their traffic",
      from: "/sys/class/net and rtnetlink",
      instances: "the aggregate of interfaces with a device, then each interface")
  }
}

extension Network.Field {
  var meaning: Meaning {
    switch self {
    case .state: Meaning("whether it can carry traffic", from: "operstate")
    case .carrier: Meaning("whether a cable or a network is there", from: "carrier")
    case .type: Meaning("what it is", from: "type and DEVTYPE of uevent")
    case .speed: Meaning("speed of the link", from: "speed, Mbit/s × 1e6")
    case .mtu: Meaning("size of the largest packet", from: "mtu")
    case .rxBytes: Meaning("bytes received", from: "statistics/rx_bytes")
    case .txBytes: Meaning("bytes sent", from: "statistics/tx_bytes")
    case .rxPackets: Meaning("packets received", from: "statistics/rx_packets")
    case .txPackets: Meaning("packets sent", from: "statistics/tx_packets")
    case .rxErrors: Meaning("faulty packets received", from: "statistics/rx_errors")
    case .txErrors: Meaning("packets that could not be sent", from: "statistics/tx_errors")
    case .rxDropped: Meaning("packets received and dropped", from: "statistics/rx_dropped")
    case .txDropped: Meaning("packets dropped before they were sent", from: "statistics/tx_dropped")
    case .rxRate:
      Meaning("bytes received a second, between two updates", from: "difference of rx_bytes")
    case .txRate:
      Meaning("bytes sent a second, between two updates", from: "difference of tx_bytes")
    case .ipv4Addresses:
      Meaning("its IPv4 addresses, with the length of the prefix", from: "rtnetlink RTM_GETADDR")
    case .ipv6Addresses:
      Meaning(
        "its IPv6 addresses; those made of its MAC only with the category mac",
        from: "rtnetlink RTM_GETADDR; /proc/net/if_inet6 of a captured tree")
    case .mac: Meaning("its hardware address", from: "address")
    case .interface:
      Meaning("the kernel's name of it", from: "name of the folder in /sys/class/net")
    }
  }
}
