public import Ground

extension ValueStream where Value == Double {
  /// The values smoothed: each result goes the part `alpha` of the way to the new value.
  ///
  /// The first value passes unchanged; with `alpha` 1 all do.
  public func lowPass(alpha: Double) -> any ValueStream<Double> {
    smoothed(LowPass(alpha: alpha), clock: nil)
  }

  /// The values smoothed, so that a step is followed to 63 % after about `timeConstant`.
  ///
  /// The first value passes unchanged; with a time constant of zero or less all do.
  public func lowPass(
    timeConstant: Duration, on clock: any Clock
  ) -> any ValueStream<Double> {
    smoothed(LowPass(timeConstant: timeConstant), clock: clock)
  }

  private func smoothed(_ start: LowPass, clock: (any Clock)?) -> any ValueStream<Double> {
    Derived(from: self) { sink in
      let filter = OperatorMemory((filter: start, last: Moment.zero))
      return { value in
        let now = clock?.now ?? .zero
        let result = filter.update { state in
          defer { state.last = now }
          return state.filter.step(value, dt: (now - state.last).inSeconds)
        }
        if let result { sink.receive(result) }
      }
    }
  }
}

/// A low-pass filter of first order.
package struct LowPass: Sendable {
  private enum Strength {
    case alpha(Double)
    /// In seconds, at least 0.
    case timeConstant(Double)
  }

  private let strength: Strength
  /// The newest result; nil before the first step.
  package private(set) var value: Double?

  /// Makes one that goes the part `alpha` of the way to each new number.
  package init(alpha: Double) {
    strength = .alpha(alpha)
  }

  /// Makes one that follows a step to 63 % after about that time.
  package init(timeConstant: Duration) {
    strength = .timeConstant(max(timeConstant.inSeconds, 0))
  }

  /// Takes the next number, `dt` seconds after the one before it, and answers the smoothed one.
  package mutating func step(_ x: Double, dt: Double) -> Double {
    let result = value.map { follow(x, from: $0, dt: max(dt, 0)) } ?? x
    value = result
    return result
  }

  private func follow(_ x: Double, from y: Double, dt: Double) -> Double {
    let part =
      switch strength {
      case .alpha(let alpha): alpha
      case .timeConstant(0): 1.0
      case .timeConstant(let constant): dt / (constant + dt)
      }
    // The whole way is the number itself, whatever rounding would make of it.
    return part == 1 ? x : y + part * (x - y)
  }
}

extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}

extension Moment {
  static var zero: Moment { Moment(nanoseconds: 0) }
}
