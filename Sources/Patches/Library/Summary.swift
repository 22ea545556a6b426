import Gathering
import Values

/// Figures of the numbers in a list.
struct Summary: PatchKind {
  static let type = "summary"
  static let summary = "Sum, mean, smallest and largest of the numbers in a list, and how many."
  static let inputs = [PortDescription("list", .dict)]
  static let outputs =
    ["sum", "mean", "min", "max"].map { PortDescription($0, .double) }
    + ["count", "missing"].map { PortDescription($0, .int) }
  static let passesNull = true

  init(_ options: PatchOptions) {}

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard case .list(let items) = sample.value else {
      throw HandlerFailure(code: 0, message: "it takes a list, not \(sample.value.typeWord)")
    }
    let numbers = items.compactMap(\.number)
    let sum = numbers.reduce(0, +)
    // `min` and `max` would lose a NaN, depending on its place.
    let hasOdd = numbers.contains(where: \.isNaN)
    let (least, most) = hasOdd ? (.nan, .nan) : (numbers.min(), numbers.max())
    publish("sum", .double(sum))
    publish("mean", numbers.isEmpty ? .none : .double(sum / Double(numbers.count)))
    publish("min", least.map(Payload.double) ?? .none)
    publish("max", most.map(Payload.double) ?? .none)
    publish("count", .int(Int64(numbers.count)))
    publish("missing", .int(Int64(items.count - numbers.count)))
  }
}
