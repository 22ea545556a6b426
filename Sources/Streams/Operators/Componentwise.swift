/// A number, or several that are computed with one by one: what filters work on.
package protocol Componentwise: Sendable {
  /// Zero in as many components.
  var zero: Self { get }
  /// What a function makes of each component.
  func map(_ function: (Double) -> Double) -> Self
  /// What a function makes of each component and that of another value; nil where the other has
  /// not as many.
  func joined(_ other: Self, _ function: (Double, Double) -> Double) -> Self?
}

extension Double: Componentwise {
  package var zero: Double { 0 }

  package func map(_ function: (Double) -> Double) -> Double { function(self) }

  package func joined(_ other: Double, _ function: (Double, Double) -> Double) -> Double? {
    function(self, other)
  }
}
