/// A value computed from two others, which changes whenever one of them does.
///
/// `function` may run any number of times and must be pure. `updates` reports each input's change
/// separately, so an input used twice shows two steps; `changes` and `values` report once per
/// transaction.
public func combined<Left: Sendable, Right: Sendable, Result: Sendable>(
  _ left: any ObservableValue<Left>, _ right: any ObservableValue<Right>,
  by function: @escaping @Sendable (Left, Right) -> Result
) -> any ObservableValue<Result> {
  // A function without a pack can be made for the types of its caller, which is much faster.
  DerivedValue(
    Derivation(
      present: { function(left.value, right.value) },
      phase: { left.presentPhase | right.presentPhase },
      attach: { inputSubscription in
        let (left, right) = (
          inputSubscription.subscribe(to: left), inputSubscription.subscribe(to: right)
        )
        return { function(left.value, right.value) }
      }))
}

/// A value computed from three to six others, which changes whenever one of them does.
///
/// `function` may run any number of times and must be pure. `updates` reports each input's change
/// separately, so an input used twice shows two steps; `changes` and `values` report once per
/// transaction.
public func combined<each Part: Sendable, Result: Sendable>(
  _ parts: repeat any ObservableValue<each Part>,
  by function: @escaping @Sendable (repeat each Part) -> Result
) -> any ObservableValue<Result> {
  DerivedValue(
    Derivation(
      present: { function(repeat (each parts).value) },
      phase: {
        var phase = TransactionPhase()
        repeat phase = phase | (each parts).presentPhase
        return phase
      },
      attach: { inputSubscription in
        let latest = (repeat inputSubscription.subscribe(to: each parts))
        return { function(repeat (each latest).value) }
      }))
}

/// Two to six values as one tuple.
public func combined<each Part: Sendable>(
  _ parts: repeat any ObservableValue<each Part>
) -> any ObservableValue<(repeat each Part)> {
  combined(repeat each parts) { (part: repeat each Part) in (repeat each part) }
}

/// A value computed from two to six others that can be written: writing sets all of them to the
/// inverse, in one transaction.
///
/// Both functions may run any number of times and must be pure.
public func combined<each Part: Sendable, Result: Sendable>(
  _ parts: repeat any UpdatableValue<each Part>,
  by function: @escaping @Sendable (repeat each Part) -> Result,
  inverse: @escaping @Sendable (Result) -> (repeat each Part)
) -> any UpdatableValue<Result> {
  var values: [any UpdatableValue] = []
  repeat values.append(each parts)
  let origins = Origins(values)
  return WrittenThrough(combined(repeat each parts, by: function), origins: origins) { new in
    let news = inverse(new)
    return origins.inTransaction {
      var delivery = Delivery.delivered
      repeat delivery = delivery & (each parts).set(each news)
      return delivery
    }
  }
}

/// Two to six values as one tuple that can be written, all parts in one transaction.
public func combined<each Part: Sendable>(
  _ parts: repeat any UpdatableValue<each Part>
) -> any UpdatableValue<(repeat each Part)> {
  combined(repeat each parts, by: { (part: repeat each Part) in (repeat each part) }) { $0 }
}
