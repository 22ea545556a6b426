/// Decides between a main store and a cache (data sources L46 to L50).
package struct RepositoryAccess<Value: Sendable>: Sendable {
  package typealias Reply = DataAccess<Value>.Reply
  private typealias Perform = @Sendable (Call<Value>, @escaping Reply) -> Void

  private let main: Perform
  private let cache: Perform?
  private let validation: Validation<Value>
  private let onCacheFailure: @Sendable (DataSourceError) -> Void

  package init(
    main: DataAccess<Value>, cache: DataAccess<Value>?, validation: Validation<Value>,
    onCacheFailure: @escaping @Sendable (DataSourceError) -> Void
  ) {
    self.main = main.perform
    self.cache = cache?.perform
    self.validation = validation
    self.onCacheFailure = onCacheFailure
  }

  /// Performs a call by an operation; without a cache it goes to main.
  package func perform(
    _ call: Call<Value>, _ operation: Operation, _ reply: @escaping Reply
  ) {
    guard let cache else { return main(call, reply) }
    let isRead = call.verb == .get || call.verb == .getAll
    switch operation {
    case .main: main(call, reply)
    case .cache(let ignoringValidity):
      guard isRead, !ignoringValidity else { return cache(call, reply) }
      cache(call) { reply($0.flatMap(checked)) }
    case .mainSync where isRead: readMain(call, cache, reply) { reply(.failure($0)) }
    case .mainSync: write(call, first: main, named: "main", second: cache, reply)
    case .cacheSync(let fallback) where isRead: readCache(call, cache, fallback, reply)
    case .cacheSync: write(call, first: cache, named: "cache", second: main, reply)
    case .default: perform(call, isRead ? .cacheSync(.never) : .mainSync, reply)
    }
  }

  private func checked(_ payload: CallPayload<Value>) -> CallResult<Value> {
    CallResult(catching: { () throws(DataSourceError) in
      try validation.check.check(payload)
      return payload
    })
  }

  private func readCache(
    _ call: Call<Value>, _ cache: @escaping Perform, _ fallback: Fallback,
    _ reply: @escaping Reply
  ) {
    cache(call) { seen in
      guard case .failure(let miss) = seen.flatMap(checked) else { return reply(seen) }
      guard [.notFound, .notValid, .serialization].contains(miss.code) else {
        return reply(.failure(miss))
      }
      readMain(call, cache, reply) { error in
        guard fallback.agrees(error, miss) else {
          return reply(.failure(error.with(causes: [miss] + error.causes)))
        }
        if case .success = seen { return reply(seen) }
        let causes = [error, miss]
        reply(.failure(DataSourceError(.notFound, missing: miss.missing, causes: causes)))
      }
    }
  }

  /// Asks main and refreshes the cache; main's result is the result whatever becomes of that.
  private func readMain(
    _ call: Call<Value>, _ cache: @escaping Perform, _ reply: @escaping Reply,
    onFailure: @escaping @Sendable (DataSourceError) -> Void
  ) {
    main(call) { result in
      switch result {
      case .failure(let error): onFailure(error)
      case .success(let payload):
        let verb: Verb = call.verb == .get ? .put : .putAll
        cache(call.passing(payload, by: verb)) { refreshed in
          if case .failure(let error) = refreshed { onCacheFailure(error) }
          reply(result)
        }
      }
    }
  }

  private func write(
    _ call: Call<Value>, first: Perform, named name: String, second: @escaping Perform,
    _ reply: @escaping Reply
  ) {
    first(call) { result in
      guard case .success(let payload) = result else { return reply(result) }
      second(call.passing(payload, by: call.verb)) { final in
        reply(final.mapError { $0.with(completed: [name] + $0.completed) })
      }
    }
  }
}

extension Call {
  /// A write of what another store has answered, under the same query.
  fileprivate func passing(_ payload: CallPayload<Value>, by verb: Verb) -> Call {
    var call = self
    call.verb = verb
    call.payload = payload
    // An object query brings the value itself, and nothing beside it.
    if case .object = query, case .object(let value) = payload {
      call.query = .object(value)
      call.payload = .none
    }
    return call
  }
}
