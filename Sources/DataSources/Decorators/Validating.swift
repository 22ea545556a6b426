/// What makes a value valid (data sources L40).
package struct Check<Value: Sendable>: Sendable {
  let emptyListIsValid: Bool
  let isValid: @Sendable (Value) throws -> Bool

  package init(
    emptyListIsValid: Bool = true, _ isValid: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.emptyListIsValid = emptyListIsValid
    self.isValid = isValid
  }

  /// Throws `notValid` for an object or an element that is not; an error of the check is its cause.
  package func check(_ payload: CallPayload<Value>) throws(DataSourceError) {
    switch payload {
    case .none: return
    case .object(let value): try check(value)
    case .list(let values):
      if values.isEmpty && !emptyListIsValid { throw DataSourceError(.notValid) }
      for value in values { try check(value) }
    }
  }

  private func check(_ value: Value) throws(DataSourceError) {
    do {
      if try isValid(value) { return }
    } catch {
      let error = DataSourceError(error)
      // The value was never looked at.
      if error.isLackOfMemory { throw error }
      throw DataSourceError(.notValid, causes: [error])
    }
    throw DataSourceError(.notValid)
  }
}

extension DataAccess {
  /// The same entries, of which only valid ones are answered, and with `checksPut` only valid ones
  /// stored (data sources L40).
  package func validated(_ check: Check<Value>, checksPut: Bool = false) -> DataAccess {
    DataAccess { [perform] call, reply in
      do throws(DataSourceError) {
        if checksPut { try check.check(call.brought) }
      } catch {
        return reply(.failure(error))
      }
      guard call.verb == .get || call.verb == .getAll else { return perform(call, reply) }
      perform(call) { result in
        reply(
          result.flatMap { payload in
            CallResult(catching: { () throws(DataSourceError) in
              try check.check(payload)
              return payload
            })
          })
      }
    }
  }

  /// Reads from one, writes to another, deletes from a third; nil has no verb (data sources L41).
  package static func assembled(
    get: DataAccess?, put: DataAccess?, delete: DataAccess?
  ) -> DataAccess {
    DataAccess { call, reply in
      let part =
        switch call.verb {
        case .get, .getAll: get
        case .put, .putAll: put
        case .delete: delete
        }
      (part ?? .void).perform(call, reply)
    }
  }
}

extension Call {
  /// What the call would store, which an `object` query brings itself.
  fileprivate var brought: CallPayload<Value> {
    if verb == .put, case .none = payload, case .object(let object) = query,
      let value = object as? Value
    {
      return .object(value)
    }
    return verb == .put || verb == .putAll ? payload : .none
  }
}
