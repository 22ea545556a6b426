import Ground

extension ObservableValue {
  /// The value of the observable that this one holds at the moment.
  ///
  /// Its transaction is open while that of this observable or of the present target is. Replacing
  /// the target is one change; the former target is no longer followed.
  public func unpacked() -> any ObservableValue<Value.Value> where Value: ObservableValue {
    unpacked { $0 }
  }

  /// The value of the updatable that this one holds at the moment; it can be written.
  public func unpacked() -> any UpdatableValue<Value.Value> where Value: UpdatableValue {
    updatableUnpacked { $0 }
  }

  /// The value of the observable that this one holds at the moment.
  public func unpacked<Content: Sendable>() -> any ObservableValue<Content>
  where Value == any ObservableValue<Content> {
    unpacked { $0 }
  }

  /// The value of the updatable that this one holds at the moment; it can be written.
  public func unpacked<Content: Sendable>() -> any UpdatableValue<Content>
  where Value == any UpdatableValue<Content> {
    updatableUnpacked { $0 }
  }

  func unpacked<Content: Sendable>(
    _ target: @escaping @Sendable (Value) -> any ObservableValue<Content>
  ) -> any ObservableValue<Content> {
    DerivedValue(
      Derivation(
        present: { target(self.value).value },
        phase: { self.presentPhase | target(self.value).presentPhase },
        attach: { inputSubscription in
          let present = Lock<LatestInput<Content>?>(nil)
          let outer = inputSubscription.subscribe(to: self) { holder in
            let new = inputSubscription.subscribe(to: target(holder))
            let former = present.withLock { present in
              defer { present = new }
              return present
            }
            former?.retire()
          }
          let first = inputSubscription.subscribe(to: target(outer.value))
          present.withLock { $0 = first }
          return { present.withLock { $0 }?.value ?? first.value }
        }))
  }

  func updatableUnpacked<Content: Sendable>(
    _ target: @escaping @Sendable (Value) -> any UpdatableValue<Content>
  ) -> any UpdatableValue<Content> {
    let begun = BegunTargets()
    let outer = (self as? any UpdatableValue).map { Origins([$0]) }
    let origins = Origins {
      outer?.begin()
      begun.begin(target(self.value))
    } end: {
      let error = begun.end(or: target(self.value))
      return error ?? outer?.end()
    } phase: {
      self.presentPhase | target(self.value).presentPhase
    }
    return WrittenThrough(unpacked { target($0) }, origins: origins) {
      target(self.value).set($0)
    }
  }
}

/// The targets in which transactions were begun: another one may be present at the end.
private final class BegunTargets: Sendable {
  private let targets = Lock<[any UpdatableValue]>([])

  func begin(_ target: any UpdatableValue) {
    targets.withLock { $0.append(target) }
    target.begin()
  }

  func end(or present: any UpdatableValue) -> StreamError? {
    let target = targets.withLock { $0.popLast() } ?? present
    return target.tryEnd()
  }
}
