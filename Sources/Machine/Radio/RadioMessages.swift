import CLinux

extension RadioInterface {
  /// The answer to GET_INTERFACE; nil for something without a network device, as a P2P device.
  init?(_ message: NetlinkAttributes) {
    guard let name = message.text(NL80211_ATTR_IFNAME.rawValue),
      let type = message.number(NL80211_ATTR_IFTYPE.rawValue, as: UInt32.self)
    else { return nil }
    self.init(name, type: type)
    address = message.bytes(NL80211_ATTR_MAC.rawValue) ?? []
    ssid = message.bytes(NL80211_ATTR_SSID.rawValue)
    frequency = message.number(NL80211_ATTR_WIPHY_FREQ.rawValue, as: UInt32.self)
    width = message.number(NL80211_ATTR_CHANNEL_WIDTH.rawValue, as: UInt32.self)
  }
}

extension RadioNetwork {
  /// A message of GET_SCAN; nil unless it is of the network the interface belongs to. Of others
  /// nothing is read.
  init?(_ message: NetlinkAttributes) {
    let joined = [NL80211_BSS_STATUS_ASSOCIATED.rawValue, NL80211_BSS_STATUS_IBSS_JOINED.rawValue]
    guard let entry = message.nested(NL80211_ATTR_BSS.rawValue),
      let status = entry.number(NL80211_BSS_STATUS.rawValue, as: UInt32.self),
      joined.contains(status)
    else { return nil }
    self.init(entry.bytes(NL80211_BSS_BSSID.rawValue) ?? [], status: status)
    signal = entry.number(NL80211_BSS_SIGNAL_MBM.rawValue, as: Int32.self)
    quality = entry.number(NL80211_BSS_SIGNAL_UNSPEC.rawValue, as: UInt8.self)
    capability = entry.number(NL80211_BSS_CAPABILITY.rawValue, as: UInt16.self)
    elements =
      entry.bytes(NL80211_BSS_INFORMATION_ELEMENTS.rawValue)
      ?? entry.bytes(NL80211_BSS_BEACON_IES.rawValue) ?? []
  }
}

extension RadioStation {
  /// A message of GET_STATION; nil if it describes no station.
  init?(_ message: NetlinkAttributes) {
    guard let facts = message.nested(NL80211_ATTR_STA_INFO.rawValue) else { return nil }
    self.init(message.bytes(NL80211_ATTR_MAC.rawValue) ?? [])
    signal = facts.number(NL80211_STA_INFO_SIGNAL.rawValue, as: UInt8.self)
    transmitRate = Self.rate(facts.nested(NL80211_STA_INFO_TX_BITRATE.rawValue))
    receiveRate = Self.rate(facts.nested(NL80211_STA_INFO_RX_BITRATE.rawValue))
    connectedTime = facts.number(NL80211_STA_INFO_CONNECTED_TIME.rawValue, as: UInt32.self)
    inactiveTime = facts.number(NL80211_STA_INFO_INACTIVE_TIME.rawValue, as: UInt32.self)
    receivedBytes = facts.number(NL80211_STA_INFO_RX_BYTES64.rawValue, as: UInt64.self)
    sentBytes = facts.number(NL80211_STA_INFO_TX_BYTES64.rawValue, as: UInt64.self)
    retries = facts.number(NL80211_STA_INFO_TX_RETRIES.rawValue, as: UInt32.self)
    failures = facts.number(NL80211_STA_INFO_TX_FAILED.rawValue, as: UInt32.self)
    isAssociated = Self.flag(NL80211_STA_FLAG_ASSOCIATED, in: facts)
    isDirect = Self.flag(NL80211_STA_FLAG_TDLS_PEER, in: facts) ?? false
  }

  private static func rate(_ facts: NetlinkAttributes?) -> UInt32? {
    facts?.number(NL80211_RATE_INFO_BITRATE32.rawValue, as: UInt32.self)
      ?? facts?.number(NL80211_RATE_INFO_BITRATE.rawValue, as: UInt16.self).map(UInt32.init)
  }

  /// A flag, if the mask includes it: `struct nl80211_sta_flag_update`.
  private static func flag(_ flag: nl80211_sta_flags, in facts: NetlinkAttributes) -> Bool? {
    guard let reported = facts.bytes(NL80211_STA_INFO_STA_FLAGS.rawValue),
      reported.count >= MemoryLayout<nl80211_sta_flag_update>.size
    else { return nil }
    let update = reported.withUnsafeBytes { $0.loadUnaligned(as: nl80211_sta_flag_update.self) }
    let bit: UInt32 = 1 << flag.rawValue
    return update.mask & bit == 0 ? nil : update.set & bit != 0
  }
}
