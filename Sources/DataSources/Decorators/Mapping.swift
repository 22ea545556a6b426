extension DataAccess {
  /// The same entries as values of another type (data sources L38).
  package func mapped<Outer: Sendable>(
    to outwards: @escaping @Sendable (Value) throws -> Outer,
    from inwards: @escaping @Sendable (Outer) throws -> Value
  ) -> DataAccess<Outer> {
    DataAccess<Outer> { [perform] call, reply in
      do throws(DataSourceError) {
        let payload = try call.payload.mapped(inwards)
        let query = try call.query.mapped(for: call.verb, inwards)
        let inner = Call(
          call.verb, query, payload, canceller: call.canceller, note: call.note)
        perform(inner) { result in
          reply(
            CallResult { () throws(DataSourceError) in try result.get().mapped(outwards) })
        }
      } catch {
        reply(.failure(error))
      }
    }
  }

  /// The same entries under queries that a function makes of the verb and the query asked (L39).
  package func queryMapped(
    _ change: @escaping @Sendable (Verb, Query) throws -> Query
  ) -> DataAccess {
    DataAccess { [perform] call, reply in
      do throws(DataSourceError) {
        var inner = call
        inner.query = try mapping(call.query) { try change(call.verb, $0) }
        perform(inner, reply)
      } catch {
        reply(.failure(error))
      }
    }
  }
}

extension CallPayload {
  fileprivate func mapped<Outer>(
    _ function: (Value) throws -> Outer
  ) throws(DataSourceError) -> CallPayload<Outer> {
    switch self {
    case .none: return .none
    case .object(let value): return .object(try mapping(value, by: function))
    case .list(let values):
      var mapped: [Outer] = []
      mapped.reserveCapacity(values.count)
      for value in values { mapped.append(try mapping(value, by: function)) }
      return .list(mapped)
    }
  }
}

extension Query {
  /// The value an `object` query brings, as the inner source knows it. What `delete` brings is
  /// passed on as it is where the inner source may know it.
  fileprivate func mapped<Outer, Inner: Sendable>(
    for verb: Verb, _ inwards: (Outer) throws -> Inner
  ) throws(DataSourceError) -> Query {
    guard case .object(let object) = self, let value = object as? Outer else { return self }
    if verb == .delete && object is Inner { return self }
    return .object(try mapping(value, by: inwards))
  }
}

/// What a function of the user's makes of a value; what it throws is the call's error, or
/// `serialization` with that as its cause.
private func mapping<Input, Output>(
  _ value: Input, by function: (Input) throws -> Output
) throws(DataSourceError) -> Output {
  do {
    return try function(value)
  } catch let error as DataSourceError {
    throw error
  } catch {
    throw DataSourceError(
      .serialization, "the value cannot be mapped", causes: [DataSourceError(error)])
  }
}
