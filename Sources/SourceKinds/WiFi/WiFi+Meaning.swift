import Gathering

extension WiFi {
  static var about: KindMeaning {
    KindMeaning(
      "the link of each wireless interface; it never scans",
      from: "nl80211, else NetworkManager, else iwd, else the presence in /sys/class/net",
      instances: "the wireless interfaces, in the order of their names")
  }
}

extension WiFi.Field {
  var meaning: Meaning {
    switch self {
    case .connected:
      Meaning(
        "whether the interface is in a network",
        from: "nl80211 GET_SCAN: a BSS associated or joined")
    case .ssid: Meaning("name of the network", from: "nl80211 ATTR_SSID, else element 0 of the BSS")
    case .ssidBytes:
      Meaning(
        "name of the network as it is sent, which need not be text",
        from: "nl80211 ATTR_SSID, else element 0 of the BSS")
    case .bssid:
      Meaning("address of the access point", from: "nl80211 GET_SCAN, else the station's address")
    case .signal:
      Meaning(
        "strength of the received signal: above -60 is strong, below -80 weak",
        from: "nl80211 STA_INFO_SIGNAL, else BSS_SIGNAL_MBM ÷ 100")
    case .signalQuality:
      Meaning(
        "strength of the signal as the driver rates it",
        from: "nl80211 BSS_SIGNAL_UNSPEC; NetworkManager Strength")
    case .txBitrate:
      Meaning(
        "rate at which the last frames were sent",
        from: "nl80211 RATE_INFO_BITRATE32, else RATE_INFO_BITRATE, × 100 000")
    case .rxBitrate:
      Meaning(
        "rate at which the last frames were received",
        from: "nl80211 RATE_INFO_BITRATE32, else RATE_INFO_BITRATE, × 100 000")
    case .frequency: Meaning("centre of the primary channel", from: "nl80211 ATTR_WIPHY_FREQ × 1e6")
    case .channelWidth: Meaning("width of the channel", from: "nl80211 ATTR_CHANNEL_WIDTH")
    case .mode: Meaning("what the interface is in its network", from: "nl80211 ATTR_IFTYPE")
    case .security:
      Meaning(
        "the weakest protection that the access point accepts",
        from: "RSN element 48 and capabilities of the BSS")
    case .connectedTime:
      Meaning("how long the link has lasted", from: "nl80211 STA_INFO_CONNECTED_TIME")
    case .inactiveTime:
      Meaning(
        "how long nothing has come from the other side",
        from: "nl80211 STA_INFO_INACTIVE_TIME ÷ 1000")
    case .rxBytes: Meaning("bytes received over the link", from: "nl80211 STA_INFO_RX_BYTES64")
    case .txBytes: Meaning("bytes sent over the link", from: "nl80211 STA_INFO_TX_BYTES64")
    case .txRetries: Meaning("frames that were sent again", from: "nl80211 STA_INFO_TX_RETRIES")
    case .txFailed: Meaning("frames that were given up", from: "nl80211 STA_INFO_TX_FAILED")
    case .powerSave:
      Meaning("whether the radio sleeps between frames", from: "nl80211 GET_POWER_SAVE")
    case .interface:
      Meaning("the kernel's name of the interface", from: "nl80211 ATTR_IFNAME; /sys/class/net")
    case .mac: Meaning("the interface's own address", from: "nl80211 ATTR_MAC")
    }
  }
}
