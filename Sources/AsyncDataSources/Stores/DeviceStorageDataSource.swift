public import DataSources

/// Small values that outlive the program: one SQLite file per storage name, shared by any number
/// of processes (data sources L21 to L26).
///
/// A write that has been answered survives a power cut. One that cannot have its turn within
/// `busyTimeout` answers `timeout`. Without libsqlite3 every call is `failed`, naming its package.
public struct DeviceStorageDataSource<Value: StoredValue>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>

  /// The storage of a name, below `$XDG_DATA_HOME/gatheredkit`, in the folder at `path`, or in the
  /// file there if it is no folder.
  ///
  /// `type` fixes the type of values whose own type does not. `id` finds the id of a value, for
  /// `object` queries. Throws `illegalArgument` for what cannot be the name of a file.
  public init(
    _ name: String = "default", layout: StorageLayout = .regular, type: StoredType? = nil,
    path: String? = nil, busyTimeout: Duration = .seconds(5),
    id: (@Sendable (Value) -> EntryID?)? = nil
  ) throws(DataSourceError) {
    let type = type ?? Value.fixedType
    let store = try StorageStore(
      name, layout, type: type, path: path, busyTimeout: busyTimeout)
    access = Accessor(DataAccess(store, StorageStore.abilities(layout), type: type, id: id))
  }
}
