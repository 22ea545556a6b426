import Gathering
import Streams
import Values

/// A number or a vector, which filters process component by component.
struct Quantity: Componentwise {
  var numbers: SIMD4<Double>
  /// 1 for a number.
  let count: Int

  /// The number or vector of a sample; throws `typeMismatch` for others.
  @inline(__always)
  static func of(_ sample: Sample, on port: String) throws(PatchError) -> Quantity {
    guard let (numbers, count) = sample.components else {
      throw .typeMismatch(port: port, expected: .double, given: sample.value.typeWord)
    }
    return Quantity(numbers, count: count)
  }

  private init(_ numbers: SIMD4<Double>, count: Int) {
    self.numbers = numbers
    self.count = count
  }

  /// Zero in as many components.
  var zero: Quantity { Quantity(SIMD4(), count: count) }

  var payload: Payload {
    switch count {
    case 1: .double(numbers[0])
    case 2: .vector(Vector(numbers[0], numbers[1]))
    case 3: .vector(Vector(numbers[0], numbers[1], numbers[2]))
    default: .vector(Vector(numbers[0], numbers[1], numbers[2], numbers[3]))
    }
  }

  @inline(__always)
  func map(_ function: (Double) -> Double) -> Quantity {
    let all = SIMD4(
      function(numbers[0]), function(numbers[1]), function(numbers[2]), function(numbers[3]))
    return Quantity(all, count: count)
  }

  /// Component by component; nil where there are not as many.
  @inline(__always)
  func joined(_ other: Quantity, _ function: (Double, Double) -> Double) -> Quantity? {
    guard count == other.count else { return nil }
    let all = SIMD4(
      function(numbers[0], other.numbers[0]), function(numbers[1], other.numbers[1]),
      function(numbers[2], other.numbers[2]), function(numbers[3], other.numbers[3]))
    return Quantity(all, count: count)
  }
}
