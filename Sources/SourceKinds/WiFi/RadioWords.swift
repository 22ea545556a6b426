/// What the numbers of nl80211 mean.
enum RadioWords {
  /// `NL80211_IFTYPE_…`; the last two are those of Wi-Fi Direct.
  enum InterfaceType: UInt32 {
    case adHoc = 1
    case station = 2
    case accessPoint = 3
    case monitor = 6
    case meshPoint = 7
    case directClient = 8
    case directGroupOwner = 9
  }

  /// The words of `mode`.
  static let modes = [
    "station", "access_point", "ibss", "mesh", "monitor", "p2p_client", "p2p_group_owner", "other",
  ]

  /// What an interface does, in the words of `mode`.
  static func mode(_ type: UInt32) -> String {
    switch InterfaceType(rawValue: type) {
    case .adHoc: "ibss"
    case .station: "station"
    case .accessPoint: "access_point"
    case .monitor: "monitor"
    case .meshPoint: "mesh"
    case .directClient: "p2p_client"
    case .directGroupOwner: "p2p_group_owner"
    case nil: "other"
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
