import Ground

/// The newest value received from one input.
final class LatestInput<Value: Sendable>: Sendable {
  private let origin: any ObservableValue<Value>
  private let content = Lock<Value?>(nil)
  private let onRetire: @Sendable () -> Void

  init(_ origin: any ObservableValue<Value>, onRetire: @escaping @Sendable () -> Void) {
    self.origin = origin
    self.onRetire = onRetire
  }

  var value: Value { content.withLock { $0 } ?? origin.value }

  func keep(_ value: Value) {
    // The former content is released outside the lock.
    _ = content.withLock { content in
      defer { content = value }
      return content
    }
  }

  /// No longer counts as an input, nor does its transaction once the present change is reported.
  func retire() { onRetire() }
}
