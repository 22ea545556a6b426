/// The sum of two values; integers wrap.
public func + <Number: FixedWidthInteger & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 &+ $1 }
}

/// The difference of two values; integers wrap.
public func - <Number: FixedWidthInteger & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 &- $1 }
}

/// The product of two values; integers wrap.
public func * <Number: FixedWidthInteger & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 &* $1 }
}

/// The quotient of two values, rounded towards zero; integers wrap, and by zero it is 0.
public func / <Number: FixedWidthInteger & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $1 == 0 ? 0 : $0.dividedReportingOverflow(by: $1).partialValue }
}

/// The remainder of a division, with the sign of the left value; by zero it is 0.
public func % <Number: FixedWidthInteger & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) {
    $1 == 0 ? 0 : $0.remainderReportingOverflow(dividingBy: $1).partialValue
  }
}

/// The value with its sign turned; integers wrap.
public prefix func - <Number: FixedWidthInteger & Sendable>(
  value: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  value.map { 0 &- $0 }
}

/// The sum of two values.
public func + <Number: BinaryFloatingPoint & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 + $1 }
}

/// The difference of two values.
public func - <Number: BinaryFloatingPoint & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 - $1 }
}

/// The product of two values.
public func * <Number: BinaryFloatingPoint & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 * $1 }
}

/// The quotient of two values; by zero it is infinite or not a number.
public func / <Number: BinaryFloatingPoint & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0 / $1 }
}

/// The remainder of a division, with the sign of the left value; by zero it is not a number.
public func % <Number: BinaryFloatingPoint & Sendable>(
  left: any ObservableValue<Number>, right: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  combined(left, right) { $0.truncatingRemainder(dividingBy: $1) }
}

/// The value with its sign turned.
public prefix func - <Number: BinaryFloatingPoint & Sendable>(
  value: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  value.map { -$0 }
}

/// The square root of a value; of a negative one it is not a number.
public func sqrt<Number: BinaryFloatingPoint & Sendable>(
  _ value: any ObservableValue<Number>
) -> any ObservableValue<Number> {
  value.map { $0.squareRoot() }
}
