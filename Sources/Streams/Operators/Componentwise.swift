/// A number, or several with component-wise arithmetic: the operand of filters.
package protocol Componentwise: Sendable {
  /// Zero in as many components.
  var zero: Self { get }
  /// Applies a function to each component.
  func map(_ function: (Double) -> Double) -> Self
  /// Applies a function to each pair of components; nil if the numbers of components differ.
  func joined(_ other: Self, _ function: (Double, Double) -> Double) -> Self?
}

extension Double: Componentwise {
  package var zero: Double { 0 }

  package func map(_ function: (Double) -> Double) -> Double { function(self) }

  package func joined(_ other: Double, _ function: (Double, Double) -> Double) -> Double? {
    function(self, other)
  }
}
