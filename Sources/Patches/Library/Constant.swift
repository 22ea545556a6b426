import Gathering

/// A value that is published at creation and on change.
struct Constant: LibraryKind, StartingKind {
  static let type = "constant"
  static let summary = "A value, published at creation and when it is set."
  static let inputs: [PortDescription] = []
  static let outputs = [PortDescription("value")]
  static let options = [PortDescription("value")]

  private var start: Payload?

  init() {}

  static var passesNull: Bool { false }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) { start = value }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    publish("value", sample.value)
  }

  mutating func begin(_ publish: (String, Payload) -> Void) {
    if let start { publish("value", start) }
  }

  /// Its option is an input: setting it publishes the value.
  var inputPorts: [PortDescription] { [PortDescription("value")] }
}
