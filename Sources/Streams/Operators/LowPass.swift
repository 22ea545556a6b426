public import Ground

extension ValueStream where Value == Double {
  /// The values smoothed: each result goes the part `alpha` of the way to the new value.
  ///
  /// The first value passes unchanged; with `alpha` 1 all do.
  public func lowPass(alpha: Double) -> any ValueStream<Double> {
    smoothed(LowPassFilter(.alpha(alpha)), clock: nil)
  }

  /// The values smoothed, so that a step is followed to 63 % after about `timeConstant`.
  ///
  /// The first value passes unchanged; with a time constant of zero or less all do.
  public func lowPass(
    timeConstant: Duration, on clock: any Clock
  ) -> any ValueStream<Double> {
    smoothed(LowPassFilter(.timeConstant(timeConstant.inSeconds)), clock: clock)
  }

  private func smoothed(
    _ start: LowPassFilter<Double>, clock: (any Clock)?
  ) -> any ValueStream<Double> {
    Derived(from: self) { sink in
      let filter = OperatorMemory(start)
      return { value in
        let now = clock?.now ?? .zero
        if let result = filter.update({ $0.next(value, at: now) }) { sink.receive(result) }
      }
    }
  }
}

/// A low-pass filter of first order, of each component by itself.
package struct LowPassFilter<Value: Componentwise>: Sendable {
  /// The weight of each new value.
  package enum Strength: Sendable {
    /// That part of the way.
    case alpha(Double)
    /// Follows a step to 63 % within this time in seconds; zero or less follows at once.
    case timeConstant(Double)
  }

  /// The setting from the next value on.
  package var strength: Strength
  private var last: (value: Value, moment: Moment)?

  /// Makes one that has seen nothing.
  package init(_ strength: Strength) {
    self.strength = strength
  }

  /// Takes the next value and answers the smoothed one: the value itself, where it is the first or
  /// has not as many components as the one before.
  package mutating func next(_ value: Value, at now: Moment) -> Value {
    guard let (former, moment) = last else {
      last = (value, now)
      return value
    }
    let part = part(after: now - moment)
    // With the full weight the result is the value itself, without rounding errors.
    let result = part == 1 ? value : former.joined(value) { $0 + part * ($1 - $0) } ?? value
    last = (result, max(now, moment))
    return result
  }

  private func part(after time: Duration) -> Double {
    switch strength {
    case .alpha(let alpha): return alpha
    case .timeConstant(let constant):
      guard constant > 0 else { return 1 }
      let seconds = max(time.inSeconds, 0)
      return seconds / (constant + seconds)
    }
  }
}

extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}

extension Moment {
  static var zero: Moment { Moment(nanoseconds: 0) }
}
