import Values

/// One line of a script, understood: when something happens to which instance (sources 15).
struct ScriptLine: Equatable, Sendable {
  /// The line's number in the text, from 1.
  let number: Int
  /// Nanoseconds since opening.
  let time: Int64
  /// Whom it concerns.
  let target: ScriptTarget
  /// What happens.
  let action: ScriptAction
}

/// An instance a script speaks of.
struct ScriptTarget: Hashable, Sendable {
  /// The name of every aggregate (sources N7).
  static let aggregateName = Instance.aggregateName

  /// The index of the kind in the catalogue the script was read against.
  let kind: Int
  /// The instance's name, decoded.
  let instance: String
  /// Whether it speaks for all instances of its kind.
  let isAggregate: Bool
}

/// What a line does. Properties are indices of the kind's table.
enum ScriptAction: Equatable, Sendable {
  case add
  case remove
  case set(property: Int, Value)
  /// The property goes with the motion of the device.
  case follow(property: Int, MotionQuantity, SimulatedMotion)
  case absent(property: Int, ValueStatus, reason: String)
  case wave(property: Int, Waveform)
  case error(property: Int, errno: Int32)
  /// Nothing that changes can be read.
  case fault(errno: Int32)
  /// Mends one property, or the whole instance.
  case clear(property: Int?)
  case availability(Availability)
  /// The driver's smallest interval, in nanoseconds.
  case floor(Int64)
}
