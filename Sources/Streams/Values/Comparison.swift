/// Whether two values are equal.
public func == <Content: Equatable & Sendable>(
  left: any ObservableValue<Content>, right: any ObservableValue<Content>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 == $1 }
}

/// Whether two values differ.
public func != <Content: Equatable & Sendable>(
  left: any ObservableValue<Content>, right: any ObservableValue<Content>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 != $1 }
}

/// Whether the left value comes before the right one.
public func < <Content: Comparable & Sendable>(
  left: any ObservableValue<Content>, right: any ObservableValue<Content>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 < $1 }
}

/// Whether the left value does not come after the right one.
public func <= <Content: Comparable & Sendable>(
  left: any ObservableValue<Content>, right: any ObservableValue<Content>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 <= $1 }
}

/// Whether the left value comes after the right one.
public func > <Content: Comparable & Sendable>(
  left: any ObservableValue<Content>, right: any ObservableValue<Content>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 > $1 }
}

/// Whether the left value does not come before the right one.
public func >= <Content: Comparable & Sendable>(
  left: any ObservableValue<Content>, right: any ObservableValue<Content>
) -> any ObservableValue<Bool> {
  combined(left, right) { $0 >= $1 }
}

/// The smaller of two values.
public func min<Content: Comparable & Sendable>(
  _ left: any ObservableValue<Content>, _ right: any ObservableValue<Content>
) -> any ObservableValue<Content> {
  combined(left, right) { Swift.min($0, $1) }
}

/// The greater of two values.
public func max<Content: Comparable & Sendable>(
  _ left: any ObservableValue<Content>, _ right: any ObservableValue<Content>
) -> any ObservableValue<Content> {
  combined(left, right) { Swift.max($0, $1) }
}
