public import DataSources
public import Machine

/// Secrets: in the desktop's Secret Service through libsecret, and without one in the kernel's key
/// ring (data sources L35).
///
/// Values appear in no log, description or error message, and are never written to a plain file. A
/// call may wait for a person who is asked to unlock the keychain.
public struct KeychainDataSource<Value: StoredValue>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>
  private let store: KeychainStore

  /// The secrets of a service, which is a name of your choice. `type` fixes the type of values
  /// whose own type does not. Throws `illegalArgument` for a name that is empty or holds NUL.
  public init(
    service: String, type: StoredType? = nil,
    finder: any SecretStoreFinder = LiveSecretStoreFinder()
  ) throws(DataSourceError) {
    store = try KeychainStore(service, finder)
    access = Accessor(
      DataAccess(store, KeychainStore.abilities, type: type ?? Value.fixedType))
  }

  /// Whether what is stored survives a restart: true for a Secret Service, false for the kernel's
  /// key ring. Throws `failed` when there is neither.
  public var isPersistent: Bool {
    get async throws(DataSourceError) {
      let answer = await withUnsafeContinuation { continuation in
        store.askPersistence { continuation.resume(returning: $0) }
      }
      return try answer.get()
    }
  }
}
