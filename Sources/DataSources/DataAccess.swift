/// What a data source is underneath: one function that performs any call.
///
/// Stores make one, decorators make one of another, and the doors of Swift (`async`) and of C
/// (futures) call it. It replies exactly once, from any thread, possibly before it returns; calls
/// that one thread makes on one key take effect in the order they were made. It never blocks on
/// input or output: what does, runs on a worker of the store.
package struct DataAccess<Value: Sendable>: Sendable {
  /// Where the outcome of a call goes.
  package typealias Reply = @Sendable (Answer<Value>) -> Void

  /// Performs a call.
  package let perform: @Sendable (Call<Value>, @escaping Reply) -> Void

  /// Makes one of a function that keeps the promises above.
  package init(_ perform: @escaping @Sendable (Call<Value>, @escaping Reply) -> Void) {
    self.perform = perform
  }

  /// Makes one of a function that answers at once, without waiting for anything.
  package init(
    answering answer: @escaping @Sendable (Call<Value>) throws(DataSourceError) -> Content<Value>
  ) {
    perform = { call, reply in
      reply(Answer(catching: { () throws(DataSourceError) in try answer(call) }))
    }
  }
}

/// The outcome of a call: what stands under the query now, or why there is no answer.
package typealias Answer<Value: Sendable> = Result<Content<Value>, DataSourceError>

/// What a call brings or is answered with.
package enum Content<Value: Sendable>: Sendable {
  /// Nothing: a call that reads or deletes, a null, the answer of `delete`.
  case none
  /// One value.
  case object(Value)
  /// A list.
  case list([Value])
}

/// What can be done with entries, numbered as `GKIT_OPERATION_…`; `deleteAll` is `delete` (L1).
package enum Verb: Int32, Sendable, CaseIterable {
  case get = 1
  case getAll = 2
  case put = 3
  case putAll = 4
  case delete = 5

  /// The name of the verb, for people.
  package var word: String {
    switch self {
    case .get: "get"
    case .getAll: "getAll"
    case .put: "put"
    case .putAll: "putAll"
    case .delete: "delete"
    }
  }
}

/// One call to a data source.
package struct Call<Value: Sendable>: Sendable {
  package var verb: Verb
  package var query: Query
  /// What is to be stored; `none` for the verbs that store nothing, and for a null.
  package var content: Content<Value>
  /// By which the caller tells that he no longer waits; nil when he never does.
  package var cancellation: Cancellation?
  /// What the door has to say about the query to those who understand it; all others pass it on.
  package var note: (any Sendable)?

  package init(
    _ verb: Verb, _ query: Query, _ content: Content<Value> = .none,
    cancellation: Cancellation? = nil, note: (any Sendable)? = nil
  ) {
    self.verb = verb
    self.query = query
    self.content = content
    self.cancellation = cancellation
    self.note = note
  }
}
