/// Hands an observable's value to a setter: once now, then at the end of every transaction that
/// changed it.
///
/// It works from its creation on until it is released, and never in the midst of a transaction.
public final class DependentValue<Value: Sendable>: Sendable {
  private let connection: Connection

  /// Starts to hand the value of `observable` to `setter`.
  public init(
    _ observable: any ObservableValue<Value>, setter: @escaping @Sendable (Value) -> Void
  ) {
    connection = observable.values.subscribe(Sink(setter))
  }
}
