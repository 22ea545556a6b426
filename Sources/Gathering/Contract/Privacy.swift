/// The categories of personal content, which a context must be allowed to show (sources 13).
public enum PrivacyCategory: String, CaseIterable, Hashable, Sendable {
  case location
  case microphone
  case ssid
  case mac
  case serial
  case hostname
  case cellID = "cell_id"
  case bluetoothDiscovery = "bluetooth_discovery"
  case activity

  /// The bit that stands for it in an allowance.
  fileprivate var bit: UInt16 {
    switch self {
    case .location: 1
    case .microphone: 2
    case .ssid: 4
    case .mac: 8
    case .serial: 16
    case .hostname: 32
    case .cellID: 64
    case .bluetoothDiscovery: 128
    case .activity: 256
    }
  }

  /// The remedy a withheld value carries (sources P1).
  public var remedy: String { "open the context with allow=\(rawValue)" }
}

/// The categories a context shows.
public struct Allowance: Equatable, Sendable {
  /// The bits of the categories allowed: every reading asks, so nothing is hashed or counted.
  private var bits: UInt16

  /// The categories allowed.
  public var categories: Set<PrivacyCategory> {
    get { Set(PrivacyCategory.allCases.filter { permits($0) }) }
    set { self = Allowance(categories: newValue) }
  }

  /// Nothing personal: the default.
  public static var none: Allowance { Allowance(bits: 0) }
  /// Everything.
  public static let all = Allowance(categories: Set(PrivacyCategory.allCases))

  private init(bits: UInt16) { self.bits = bits }

  /// A set of categories.
  public init(categories: Set<PrivacyCategory>) {
    bits = categories.reduce(0) { $0 | $1.bit }
  }

  /// Category names separated by commas, or `all`; an unknown name is an invalid argument.
  public init(parsing text: String) throws(SourceError) {
    var found: Set<PrivacyCategory> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = word.trimmingSpaces()
      if name.isEmpty && text.trimmingSpaces().isEmpty { continue }
      if name == "all" {
        found.formUnion(PrivacyCategory.allCases)
      } else if let category = PrivacyCategory(rawValue: name) {
        found.insert(category)
      } else {
        let known = PrivacyCategory.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidArgument("allow: no category \"\(name)\"; there are \(known) and all")
      }
    }
    self.init(categories: found)
  }

  /// What both allow.
  package func intersection(_ other: Allowance) -> Allowance { Allowance(bits: bits & other.bits) }

  /// Whether content of a category may be shown; no category always may.
  public func permits(_ category: PrivacyCategory?) -> Bool {
    category.map { bits & $0.bit != 0 } ?? true
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  func trimmingSpaces() -> String {
    String(drop(while: { $0 == " " }).reversed().drop(while: { $0 == " " }).reversed())
  }
}
