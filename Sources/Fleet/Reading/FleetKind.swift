import Gathering
import Machine
import Values

/// A kind as it is gathered elsewhere: its words and properties; nothing is read or computed here.
struct FleetKind: SourceKind {
  let kind: String
  let name: String
  let properties: [Property]
  let category: PrivacyCategory?
  private let own: (any SourceKind)?
  /// Every row, unless less is asked for.
  let intervals = Intervals(seconds: 0.001, minimum: 0.001)

  /// A kind of the catalogue.
  init(_ kind: any SourceKind) {
    self.kind = kind.kind
    name = kind.name
    properties = kind.properties
    category = kind.category
    own = kind
  }

  /// One that the catalogue has not: of a later version, or another library's.
  init(unknown word: String) {
    kind = word
    name = word
    properties = []
    category = nil
    own = nil
  }

  /// The kind of streams and graph outputs.
  static let stream = FleetKind(
    kind: FleetTopic.streamKind, name: "Stream",
    properties: [Property("value", .double, .continuous)])

  private init(kind: String, name: String, properties: [Property]) {
    self.kind = kind
    self.name = name
    self.properties = properties
    category = nil
    own = nil
  }

  var meaning: KindMeaning { own?.meaning ?? KindMeaning("", from: "", instances: "") }

  func meaning(ofPropertyAt index: Int) -> Meaning {
    own?.meaning(ofPropertyAt: index) ?? Meaning("", from: "")
  }

  func discover(on machine: Machine) -> Discovery {
    Discovery([], orElse: Availability(.noHardware, backend: "mqtt"))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}
