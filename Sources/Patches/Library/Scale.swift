import Gathering
import Values

/// Factor · value + offset.
struct Scale: LibraryKind {
  static let type = "scale"
  static let summary = "factor · value + offset, vectors by component."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = [
    PortDescription("factor", .double, standard: .double(1)),
    PortDescription("offset", .double, standard: .double(0)),
  ]

  private var factor = 1.0
  private var offset = 0.0

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let number = try value.number(of: option)
    if option == "factor" { factor = number } else { offset = number }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let value = try Quantity.of(sample, on: input)
    publish("value", value.map { factor * $0 + offset }.payload)
  }

  init() {}
}
