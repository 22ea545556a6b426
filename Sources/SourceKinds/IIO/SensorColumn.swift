import Gathering
import Ground
import Values

/// The open channels of one property: three axes as a vector, or one channel.
final class SensorColumn {
  let property: Int
  let channels: [IIOChannel]
  let isVector: Bool
  /// What a vector is turned by; nil if it stays as it is.
  let matrix: [Double]?

  /// One channel.
  init(_ property: Int, of channels: [IIOChannel]) {
    (self.property, self.channels, isVector, matrix) = (property, channels, false, nil)
  }

  /// Three axes.
  init(_ property: Int, axes channels: [IIOChannel], matrix: [Double]?) {
    (self.property, self.channels, isVector, self.matrix) = (property, channels, true, matrix)
  }

  /// The vector; nil where `outcome` says what is there instead, and for a channel.
  func vector() -> Vector? {
    guard isVector, let x = channels.borrow(0, { $0.number() }),
      let y = channels.borrow(1, { $0.number() }), let z = channels.borrow(2, { $0.number() })
    else { return nil }
    let vector = Vector(x, y, z)
    return matrix.map { MountMatrix.apply($0, to: vector) } ?? vector
  }

  /// The vector or the number, or why there is none.
  func outcome() -> Outcome {
    guard isVector else { return channels[0].read() }
    if let vector = vector() { return .ok(.vector(vector)) }
    // What the first axis without a number is instead.
    return channels.lazy.map { $0.read() }.first { $0.number == nil } ?? .notRead
  }
}
