extension ValueStream where Value == Double {
  /// The first value, then each that differs from the last one forwarded by at least `delta`.
  ///
  /// `delta` has the unit of the values; zero or less lets everything pass.
  public func minChange(_ delta: Double) -> any ValueStream<Double> {
    Derived(from: self) { sink in
      let gate = OperatorMemory(MinChangeFilter(delta))
      return { value in
        if gate.update({ $0.passes(value) }) == true { sink.receive(value) }
      }
    }
  }
}

/// Lets a number pass when it is far enough from the last one that passed.
package struct MinChangeFilter: Sendable {
  private let delta: Double
  private var last: Double?

  /// Makes an operator that requires a difference of at least `delta`.
  package init(_ delta: Double) {
    self.delta = delta
  }

  /// Whether the number passes; from NaN to a number and back is always far enough.
  package mutating func passes(_ x: Double) -> Bool {
    if let last, !isFar(x, from: last) { return false }
    last = x
    return true
  }

  private func isFar(_ x: Double, from last: Double) -> Bool {
    if delta <= 0 || x.isNaN != last.isNaN { return true }
    // Two equal infinities are no distance apart.
    return x != last && abs(x - last) >= delta
  }
}
