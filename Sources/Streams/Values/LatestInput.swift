import Ground

/// The newest value received from one input. Only the handler of the node's events uses it, and so
/// one thread at a time.
final class LatestInput<Value: Sendable>: Sendable {
  private let origin: any ObservableValue<Value>
  private let content = Claimed<Value?>(nil)
  private let onRetire: @Sendable () -> Void

  init(_ origin: any ObservableValue<Value>, onRetire: @escaping @Sendable () -> Void) {
    self.origin = origin
    self.onRetire = onRetire
  }

  var value: Value { (content.withClaim { $0 } ?? nil) ?? origin.value }

  func keep(_ value: Value) {
    var other: Value? = value
    // The former content is released outside the claim.
    content.withClaim { swap(&$0, &other) }
  }

  /// No longer counts as an input, nor does its transaction once the present change is reported.
  func retire() { onRetire() }
}
