import Gathering
import Streams
import Values

/// A number or a vector, which filters process component by component.
struct Quantity: Componentwise {
  var components: (Double, Double, Double, Double)
  /// 1 for a number.
  let count: Int

  /// The number or vector of a payload; throws `typeMismatch` for others. A function borrows what
  /// an initializer would copy.
  static func of(_ payload: Value, on port: String) throws(PatchError) -> Quantity {
    switch payload {
    case .int(let number): Quantity((Double(number), 0, 0, 0), count: 1)
    case .double(let number): Quantity((number, 0, 0, 0), count: 1)
    case .vector(let vector):
      Quantity((vector.x, vector.y, vector.z ?? 0, vector.w ?? 0), count: vector.count)
    default:
      throw .typeMismatch(port: port, expected: .double, given: payload.typeWord)
    }
  }

  private init(_ components: (Double, Double, Double, Double), count: Int) {
    self.components = components
    self.count = count
  }

  /// Zero in as many components.
  var zero: Quantity { Quantity((0, 0, 0, 0), count: count) }

  var payload: Payload {
    switch count {
    case 1: .double(components.0)
    case 2: .vector(Vector(components.0, components.1))
    case 3: .vector(Vector(components.0, components.1, components.2))
    default: .vector(Vector(components.0, components.1, components.2, components.3))
    }
  }

  func map(_ function: (Double) -> Double) -> Quantity {
    let c = components
    return Quantity((function(c.0), function(c.1), function(c.2), function(c.3)), count: count)
  }

  /// Component by component; nil where there are not as many.
  func joined(_ other: Quantity, _ function: (Double, Double) -> Double) -> Quantity? {
    guard count == other.count else { return nil }
    let (a, b) = (components, other.components)
    return Quantity(
      (function(a.0, b.0), function(a.1, b.1), function(a.2, b.2), function(a.3, b.3)),
      count: count)
  }
}
