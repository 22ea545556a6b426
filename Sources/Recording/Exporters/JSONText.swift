import Gathering
package import Values

extension Value {
  /// JSON on one line, whatever it is: numbers that are not finite are null, and so is what is
  /// nested too deep.
  package var jsonText: String { (try? json()) ?? (try? writable.json()) ?? "null" }

  /// The value without what JSON cannot say.
  private var writable: Value {
    switch self {
    case .double(let number): number.isFinite ? self : .none
    case .vector(let vector):
      // As a vector is spelled; no vector has a component that is missing.
      .dictionary(["vector": .list(vector.components.map { Value.double($0).writable })])
    case .list(let items): .list(items.map(\.writable))
    case .dictionary(let members):
      .dictionary(ValueDictionary(members.map { ($0.key, $0.value.writable) }))
    default: self
    }
  }
}
