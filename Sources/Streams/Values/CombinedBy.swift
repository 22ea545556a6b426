/// A list of values as one, computed from all of them.
///
/// `function` may run any number of times and must be pure.
package func combined<Part: Sendable, Result: Sendable>(
  _ parts: [any ObservableValue<Part>], by function: @escaping @Sendable ([Part]) -> Result
) -> any ObservableValue<Result> {
  DerivedValue(
    Derivation(
      present: { function(parts.map { $0.value }) },
      phase: { parts.reduce(TransactionPhase()) { $0 | $1.presentPhase } },
      attach: { inputSubscription in
        let latest = parts.map { inputSubscription.subscribe(to: $0) }
        return { function(latest.map { $0.value }) }
      }))
}

/// The same, written by a given function; its transactions are those of all parts.
package func combined<Part: Sendable, Result: Sendable>(
  _ parts: [any UpdatableValue<Part>], by function: @escaping @Sendable ([Part]) -> Result,
  writing set: @escaping @Sendable (Result) -> Delivery
) -> any UpdatableValue<Result> {
  WrittenThrough(combined(parts, by: function), origins: Origins(parts), set: set)
}
