/// What a network asks of who joins it, from the weakest to the strongest.
enum WirelessSecurity: String, CaseIterable, Comparable {
  case open, owe, wep, wpa
  case wpa2Personal = "wpa2_personal"
  case wpa2Enterprise = "wpa2_enterprise"
  case wpa3Personal = "wpa3_personal"
  case wpa3Enterprise = "wpa3_enterprise"

  static func < (left: Self, right: Self) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }

  /// What a key management suite amounts to; nil for a suite that alone admits no station.
  init?(_ suite: ArraySlice<UInt8>, protectingFrames: Bool) {
    guard suite.starts(with: [0x00, 0x0F, 0xAC]), let number = suite.last else { return nil }
    switch number {
    case 2, 4, 6, 19, 20: self = .wpa2Personal
    case 1, 3: self = .wpa2Enterprise
    // SHA-256 and FILS: of the third generation where frames must be protected.
    case 5, 14, 15, 16, 17: self = protectingFrames ? .wpa3Enterprise : .wpa2Enterprise
    case 8, 9, 24, 25: self = .wpa3Personal
    case 11, 12, 13, 22, 23: self = .wpa3Enterprise
    case 18: self = .owe
    default: return nil
    }
  }
}
