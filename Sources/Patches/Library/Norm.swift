import Gathering
import Values

/// The length of a vector.
struct Norm: LibraryKind {
  static let type = "norm"
  static let summary = "The Euclidean length of a vector."
  static let inputs = [PortDescription("vector", .vector)]
  static let outputs = [PortDescription("value", .double)]

  init() {}

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard let vector = sample.value.vector else { return }
    let (z, w) = (vector.z ?? 0, vector.w ?? 0)
    let largest = max(abs(vector.x), abs(vector.y), abs(z), abs(w))
    // Scaled, so that squares neither overflow nor vanish.
    guard largest.isFinite, largest > 0 else { return publish("value", .double(largest)) }
    let square = [vector.x, vector.y, z, w].reduce(0) { sum, part in
      sum + (part / largest) * (part / largest)
    }
    publish("value", .double(largest * square.squareRoot()))
  }
}
