import Gathering
import Values

/// One component of a vector.
struct Component: LibraryKind {
  static let type = "component"
  static let summary = "One component of a vector, by x y z w or by its index from 0."
  static let inputs = [PortDescription("vector", .vector)]
  static let outputs = [PortDescription("value", .double)]
  static let options = [PortDescription("axis")]

  private var axis: Int?

  init() {}

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    switch value {
    case .int(let index) where (0...3).contains(index): axis = Int(index)
    case .string("x"): axis = 0
    case .string("y"): axis = 1
    case .string("z"): axis = 2
    case .string("w"): axis = 3
    default: throw .badOption(option, reason: "it is x, y, z, w or an index from 0 to 3")
    }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard let axis, let vector = sample.value.vector else { return }
    guard let number = vector[axis] else {
      throw PatchError.badOption("axis", reason: "the vector has \(vector.count) components")
    }
    publish("value", .double(number))
  }
}
