import Gathering
import Values

/// The values of one of two inputs.
struct Switch: LibraryKind {
  static let type = "switch"
  static let summary = "The values of a, or of b while select is true."
  static let inputs = [PortDescription("a"), PortDescription("b")]
  static let outputs = [PortDescription("value")]
  static let options = [PortDescription("select", .bool, standard: .bool(false))]
  static let passesNull = false

  private var selectsB = false
  private var lastA: Payload?
  private var lastB: Payload?

  init() {}

  /// `select` comes first: it is received like a value, since a new choice publishes.
  var inputPorts: [PortDescription] {
    [PortDescription("select", .bool, isControl: true)] + Self.inputs
  }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    selectsB = value == .bool(true)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    switch input {
    case "a":
      lastA = sample.value
      if !selectsB { publish("value", sample.value) }
    case "b":
      lastB = sample.value
      if selectsB { publish("value", sample.value) }
    default:
      guard case .bool(let choice) = sample.value, choice != selectsB else { return }
      selectsB = choice
      if let last = selectsB ? lastB : lastA { publish("value", last) }
    }
  }
}
