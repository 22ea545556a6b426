/// Whether both values are true; both are always looked at.
public func && (
  left: any ObservableValue<Bool>, right: any ObservableValue<Bool>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 && $1 }
}

/// Whether one of two values is true; both are always looked at.
public func || (
  left: any ObservableValue<Bool>, right: any ObservableValue<Bool>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 || $1 }
}

/// Whether a value is false.
public prefix func ! (value: any ObservableValue<Bool>) -> any ObservableValue<Bool> {
  value.map { !$0 }
}
