public import DataSources

/// A store that forgets everything when the last reference to it goes; the reference of all stores.
///
/// Objects and lists under keys, several ids, `all` and `page`; `object` queries when it was told
/// how to find the id of a value. A call takes one lock and one copy, on the caller's thread.
public struct InMemoryDataSource<Value: Sendable>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>

  /// An empty store; `id` finds the id of a value, for `object` queries, or nil if it has none.
  public init(id: (@Sendable (Value) -> EntryID?)? = nil) {
    access = Accessor(MemoryStore(id: id).access)
  }
}

/// A store without verbs: every call is `notImplemented`.
public struct VoidDataSource<Value: Sendable>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>

  /// A store without verbs, for values of a type.
  public init(_: Value.Type = Value.self) {
    access = Accessor(.void)
  }
}
