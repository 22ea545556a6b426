package import Ground

/// What a subscription does with what arrives, as a value. It only decides; its caller acts.
package protocol StreamOperator<Input, Output>: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  /// The subscription has opened.
  mutating func open(at now: Moment) -> OperatorEffect<Output>
  /// A value has arrived.
  mutating func receive(_ value: Input, at now: Moment) -> OperatorEffect<Output>
  /// The alarm has gone off.
  mutating func ring(at now: Moment) -> OperatorEffect<Output>
}

extension StreamOperator {
  package mutating func open(at now: Moment) -> OperatorEffect<Output> { OperatorEffect() }
  package mutating func ring(at now: Moment) -> OperatorEffect<Output> { OperatorEffect() }
}

/// An operator that holds one value back for a time.
package protocol HoldingOperator<Value>: StreamOperator where Input == Value, Output == Value {
  associatedtype Value
  /// Makes one that holds nothing.
  init(_ duration: Duration)
  /// For how long; it may be changed at any time.
  var duration: Duration { get set }
  /// When the value that is held goes out, unless others come; nil while none is held.
  var due: Moment? { get }
}

/// What is to be done for a subscription.
package struct OperatorEffect<Output: Sendable>: Sendable {
  /// What becomes of the one alarm a subscription has.
  package enum Alarm: Hashable, Sendable {
    case keep, off
    /// Rings at that moment and at none it was set to before.
    case at(Moment)
  }

  /// To be sent.
  package var value: Output?
  package var alarm: Alarm
  /// No longer needed; the caller lets it go where no lock is held.
  package var spent: Output?

  package init(_ value: Output? = nil, alarm: Alarm = .keep, spent: Output? = nil) {
    self.value = value
    self.alarm = alarm
    self.spent = spent
  }
}
