/// Any number of values as one array, in the order given.
///
/// It is an `UpdatableValue` if all of them are: writing sets each to its element, in one
/// transaction. If the array is shorter or longer, elements without a counterpart are ignored.
public func combined<Part: Sendable>(
  _ parts: [any ObservableValue<Part>]
) -> any ObservableValue<[Part]> {
  let view = DerivedValue(
    Derivation<[Part]>(
      present: { parts.map { $0.value } },
      phase: { parts.reduce(TransactionPhase()) { $0 | $1.presentPhase } },
      attach: { inputSubscription in
        let latest = parts.map { inputSubscription.subscribe(to: $0) }
        return { latest.map { $0.value } }
      }))
  let targets = parts.compactMap { $0 as? any UpdatableValue<Part> }
  guard targets.count == parts.count, !parts.isEmpty else { return view }
  let origins = Origins(targets)
  return WrittenThrough(view, origins: origins) { news in
    origins.inTransaction {
      zip(targets, news).reduce(.delivered) { $0 & $1.0.set($1.1) }
    }
  }
}
