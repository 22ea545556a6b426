import Gathering
import Values

/// How many values have come.
struct Count: LibraryKind {
  static let type = "count"
  static let summary = "How many values were received since creation or reset."
  static let inputs = [PortDescription("value"), PortDescription("reset", isControl: true)]
  static let outputs = [PortDescription("count", .int)]

  private var count: Int64 = 0

  init() {}

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    count = input == "reset" ? 0 : count &+ 1
    if input != "reset" { publish("count", .int(count)) }
  }
}
