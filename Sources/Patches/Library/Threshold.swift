import Gathering
import Values

/// Whether a value is above a level, with hysteresis.
struct Threshold: LibraryKind {
  static let type = "threshold"
  static let summary = "True from value ≥ above until value < below."
  static let inputs = [PortDescription("value", .double)]
  static let outputs = [PortDescription("state", .bool), PortDescription("crossed", .int)]
  static let options = [PortDescription("above", .double), PortDescription("below", .double)]

  private var above: Double?
  private var below: Double?
  private var isAbove: Bool?

  init() {}

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let number = try value.number(of: option)
    guard !number.isNaN else { throw .badOption(option, reason: "it must be a number") }
    if option == "above" { above = number } else { below = number }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard let number = sample.value.number, !number.isNaN, let above else { return }
    let wasAbove = isAbove
    let isAbove = wasAbove == true ? !(number < below ?? above) : number >= above
    self.isAbove = isAbove
    guard isAbove != wasAbove else { return }
    publish("state", .bool(isAbove))
    if wasAbove != nil { publish("crossed", .int(isAbove ? 1 : -1)) }
  }
}
