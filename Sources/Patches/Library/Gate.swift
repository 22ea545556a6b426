import Gathering
import Values

/// Lets values pass while it is open.
struct Gate: LibraryKind {
  static let type = "gate"
  static let summary = "The values while it is open."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = [PortDescription("open", .bool, standard: .bool(false))]
  static let passesNull = false

  private var isOpen = false

  init() {}

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    isOpen = value == .bool(true)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    if isOpen { publish("value", sample.value) }
  }
}
