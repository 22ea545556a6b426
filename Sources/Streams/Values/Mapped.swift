extension ObservableValue {
  /// A value computed from this one, which changes whenever this one does.
  ///
  /// `function` may run any number of times and must be pure. While the result is not observed, it
  /// is called for every look at the value; while the result is observed, once per change.
  public func map<Result: Sendable>(
    _ function: @escaping @Sendable (Value) -> Result
  ) -> any ObservableValue<Result> {
    DerivedValue(
      Derivation(
        present: { function(self.value) },
        phase: { self.presentPhase },
        attach: { inputSubscription in
          let latest = inputSubscription.subscribe(to: self)
          return { function(latest.value) }
        }))
  }
}

extension UpdatableValue {
  /// A value computed from this one that can be written: writing sets this one to the inverse.
  ///
  /// Both functions may run any number of times and must be pure.
  public func map<Result: Sendable>(
    _ function: @escaping @Sendable (Value) -> Result,
    inverse: @escaping @Sendable (Result) -> Value
  ) -> any UpdatableValue<Result> {
    WrittenThrough(map(function), origins: Origins([self])) { self.set(inverse($0)) }
  }

  /// A value computed from this one, written by a function of one's own.
  package func map<Result: Sendable>(
    _ function: @escaping @Sendable (Value) -> Result,
    writing set: @escaping @Sendable (Result) -> Delivery
  ) -> any UpdatableValue<Result> {
    WrittenThrough(map(function), origins: Origins([self]), set: set)
  }
}
