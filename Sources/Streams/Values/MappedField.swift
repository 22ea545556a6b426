extension ObservableValue {
  /// A field of what this observable holds.
  public func map<Field: Sendable>(
    _ field: any KeyPath<Value, Field> & Sendable
  ) -> any ObservableValue<Field> {
    map { $0[keyPath: field] }
  }

  /// The value of an observable field of what this observable holds, followed through switches.
  public func map<Field: ObservableValue>(
    _ field: any KeyPath<Value, Field> & Sendable
  ) -> any ObservableValue<Field.Value> {
    unpacked { $0[keyPath: field] }
  }

  /// The value of an observable field of what this observable holds, followed through switches.
  public func map<Content: Sendable>(
    _ field: any KeyPath<Value, any ObservableValue<Content>> & Sendable
  ) -> any ObservableValue<Content> {
    unpacked { $0[keyPath: field] }
  }

  /// The value of an updatable field of what this observable holds; writes go to the present one.
  public func map<Field: UpdatableValue>(
    _ field: any KeyPath<Value, Field> & Sendable
  ) -> any UpdatableValue<Field.Value> {
    updatableUnpacked { $0[keyPath: field] }
  }

  /// The value of an updatable field of what this observable holds; writes go to the present one.
  public func map<Content: Sendable>(
    _ field: any KeyPath<Value, any UpdatableValue<Content>> & Sendable
  ) -> any UpdatableValue<Content> {
    updatableUnpacked { $0[keyPath: field] }
  }

  /// What a stream in a field of what this observable holds sends, followed through switches.
  ///
  /// A switch by itself sends nothing.
  public func map<Field: ValueStream>(
    _ field: any KeyPath<Value, Field> & Sendable
  ) -> any ValueStream<Field.Value> {
    FollowedStream(holder: self) { $0[keyPath: field] }
  }

  /// What a stream in a field of what this observable holds sends, followed through switches.
  ///
  /// A switch by itself sends nothing.
  public func map<Content: Sendable>(
    _ field: any KeyPath<Value, any ValueStream<Content>> & Sendable
  ) -> any ValueStream<Content> {
    FollowedStream(holder: self) { $0[keyPath: field] }
  }
}
