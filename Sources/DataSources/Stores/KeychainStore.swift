import Ground
package import Machine

/// Entries in the desktop's Secret Service or the kernel's key ring (data sources L35).
package final class KeychainStore: ByteStore {
  private let finder: any SecretStoreFinder
  private let service: String
  private let worker: StoreWorker
  private let found = Monitor<(any SecretStore)?>(nil)

  /// The secrets of a service. Throws `illegalArgument` for a name that is empty or holds NUL.
  package init(
    _ service: String, _ finder: any SecretStoreFinder,
    among workers: StoreWorkers = StoreWorkers()
  ) throws(DataSourceError) {
    worker = StoreWorker(named: "gkit-keychain", among: workers)
    if service.isEmpty || service.utf8.contains(0) {
      throw DataSourceError(.illegalArgument, "a service is neither empty nor holds NUL")
    }
    self.service = service
    self.finder = finder
  }

  package static let abilities: StoreAbilities = [.lists]

  /// Tells whether what is stored survives a restart.
  package func askPersistence(
    reply: @escaping @Sendable (Result<Bool, DataSourceError>) -> Void
  ) {
    run(nil, { store throws(SecretFailure) in store.isPersistent }, reply: reply)
  }

  package func submit(
    _ work: StoreWork, _ canceller: (any Canceller)?,
    reply: @escaping @Sendable (Result<[StoredContent?], DataSourceError>) -> Void
  ) {
    let (service, cancellation) = (service, canceller?.cancellation)
    switch work {
    case .read(let ids):
      run(
        cancellation,
        { store throws(SecretFailure) in
          var found: [[UInt8]?] = []
          for id in ids { found.append(try store.read(id.asAttribute, of: service)) }
          return found
        },
        reply: { result in
          reply(
            Result { () throws(DataSourceError) in
              var contents: [StoredContent?] = []
              for bytes in try result.get() { contents.append(try bytes.map(Self.content)) }
              return contents
            })
        })
    case .writeObject(let id, let item):
      write([(id, StoredContent(item))], cancellation, reply: reply)
    case .write(let entries): write(entries, cancellation, reply: reply)
    case .remove(let ids):
      run(
        cancellation,
        { store throws(SecretFailure) in
          for id in ids { try store.remove(id.asAttribute, of: service) }
          return []
        }, reply: reply)
    case .readAll, .removeAll: reply(.failure(DataSourceError(.queryNotSupported)))
    }
  }

  private func write(
    _ entries: [(EntryID, StoredContent)], _ cancellation: Cancellation?,
    reply: @escaping @Sendable (Result<[StoredContent?], DataSourceError>) -> Void
  ) {
    run(
      cancellation,
      { [service] store throws(SecretFailure) in
        for (id, content) in entries {
          try store.write(Self.secret(content), id.asAttribute, of: service)
        }
        return []
      }, reply: reply)
  }

  private func run<Answer: Sendable>(
    _ cancellation: Cancellation?,
    _ body: @escaping @Sendable (any SecretStore) throws(SecretFailure) -> Answer,
    reply: @escaping @Sendable (Result<Answer, DataSourceError>) -> Void
  ) {
    worker.submit(
      cancellation, { [self] _ throws(DataSourceError) in try perform(body) }, reply: reply)
  }

  private func perform<Answer>(
    _ body: (any SecretStore) throws(SecretFailure) -> Answer
  ) throws(DataSourceError) -> Answer {
    do throws(SecretFailure) {
      if let store = found.withLock({ $0 }) { return try body(store) }
      // Once found it stays: a secret never moves from one kind of place to the other.
      let store = try finder.find()
      found.withLock { $0 = store }
      return try body(store)
    } catch {
      throw DataSourceError(error)
    }
  }

  // MARK: Bytes

  private static func secret(_ content: StoredContent) -> [UInt8] {
    var writer = StoredBytesWriter()
    writer.put(content.isList ? 1 : 0)
    writer.put(Array(content.type.name.utf8))
    writer.put(content.bytes)
    return writer.bytes
  }

  private static func content(_ secret: [UInt8]) throws(DataSourceError) -> StoredContent {
    var reader = StoredBytesReader(secret)
    let shape = try reader.count()
    let type = StoredType(try reader.text())
    guard shape < 2 else { throw .damaged }
    return try StoredContent(type: type, isList: shape == 1, bytes: reader.block())
  }
}

extension EntryID {
  /// The key text without NUL, which no attribute can hold.
  fileprivate var asAttribute: String {
    var bytes: [UInt8] = []
    for byte in key.utf8 {
      switch byte {
      case 0: bytes += Array("%00".utf8)
      case UInt8(ascii: "%"): bytes += Array("%25".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension DataSourceError {
  /// Why a secret could not be kept or had.
  fileprivate init(_ failure: SecretFailure) {
    switch failure {
    case .missing(let reason, let package):
      let remedy = package.map { "; install \($0)" } ?? ""
      self.init(.failed, "there is no place for secrets: \(reason)\(remedy)")
    case .locked: self.init(.failed, "the keychain is locked")
    case .interrupted: self.init(.cancelled)
    case .timeout: self.init(.timeout, "the keychain did not answer in time")
    case .failed(let message, let errno): self.init(.failed, message, errno: errno)
    }
  }
}
