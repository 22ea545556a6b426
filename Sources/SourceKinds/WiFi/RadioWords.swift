/// What the numbers of nl80211 mean.
enum RadioWords {
  /// The words of `mode`.
  static let modes = [
    "station", "access_point", "ibss", "mesh", "monitor", "p2p_client", "p2p_group_owner", "other",
  ]

  /// What an interface does: NL80211_IFTYPE_…
  static func mode(_ type: UInt32) -> String {
    switch type {
    case 1: "ibss"
    case 2: "station"
    case 3: "access_point"
    case 6: "monitor"
    case 7: "mesh"
    case 8: "p2p_client"
    case 9: "p2p_group_owner"
    default: "other"
    }
  }

  /// The width of a channel in Hz: NL80211_CHAN_WIDTH_…; nil for one that came later.
  static func width(_ number: UInt32) -> Double? {
    // 20 without HT, 20, 40, 80, 80 + 80, 160, 5, 10, 1, 2, 4, 8, 16, 320.
    let megahertz: [Double] = [20, 20, 40, 80, 160, 160, 5, 10, 1, 2, 4, 8, 16, 320]
    guard let index = Int(exactly: number), megahertz.indices.contains(index) else { return nil }
    return megahertz[index] * 1e6
  }
}
