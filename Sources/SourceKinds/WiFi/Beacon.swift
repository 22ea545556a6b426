import Gathering
import Values

/// What an access point tells of itself over the air: a field of capabilities, and elements.
struct Beacon {
  private let capability: UInt16?
  private let elements: [InformationElements.Element]

  /// A beacon as the kernel keeps it.
  init(capability: UInt16?, elements: [UInt8]) {
    self.capability = capability
    self.elements = Array(InformationElements(elements))
  }

  /// The network's name; empty or zeros where it is hidden, nil without the element.
  var name: [UInt8]? { elements.first { $0.kind == 0 }.map { Array($0.content) } }

  /// The weakest security the network accepts, and the element or field that says so.
  var security: (outcome: Outcome, raw: RawValue?) {
    // WPA, the first of them, is a vendor's element.
    let first = elements.first { $0.kind == 221 && $0.content.starts(with: [0x00, 0x50, 0xF2, 1]) }
    if let first { return (.security(.wpa), RawValue(first.whole, place: "nl80211 WPA element")) }
    if let robust = elements.first(where: { $0.kind == 48 }) {
      let outcome = Self.outcome(of: RSNElement(robust.content))
      return (outcome, RawValue(robust.whole, place: Self.place))
    }
    guard let capability else { return (.noData("the driver tells no beacon"), nil) }
    let raw = RawValue("\(capability)".utf8, place: "nl80211 BSS_CAPABILITY")
    // Bit 4 is privacy: without an element that says more, this is WEP.
    return (.security(capability & 0x10 == 0 ? .open : .wep), raw)
  }

  private static let place = "nl80211 RSN element"

  private static func outcome(of element: RSNElement?) -> Outcome {
    guard let element else {
      return .failed("\(place): its lists reach over its end", errno: SystemText.invalid)
    }
    let accepted = element.keyManagement.compactMap { suite in
      WirelessSecurity(suite, protectingFrames: element.requiresProtection)
    }
    return accepted.min().map { .security($0) } ?? .noData("an unknown key management")
  }
}

extension Outcome {
  fileprivate static func security(_ security: WirelessSecurity) -> Outcome {
    .ok(.string(security.rawValue))
  }
}
