public import Ground

/// What a data source is underneath: one function that performs any call.
///
/// Stores make one, decorators make one of another, and the doors of Swift (`async`) and of C
/// (futures) call it. It replies exactly once, from any thread, possibly before it returns; calls
/// that one thread makes on one key take effect in the order they were made. It never waits: what
/// may, is done on a worker of the store (data sources 6).
@usableFromInline package struct DataAccess<Value: Sendable>: Sendable {
  /// Where the outcome of a call goes.
  @usableFromInline package typealias Reply = @Sendable (CallResult<Value>) -> Void

  /// Performs a call.
  @usableFromInline package let perform: @Sendable (Call<Value>, @escaping Reply) -> Void

  /// What replies before it returns, or has done nothing and answers false.
  @usableFromInline
  package typealias Quick = @Sendable (Call<Value>, (CallResult<Value>) -> Void) -> Bool

  /// Performs a call that needs to wait for nothing; false for one that is to be performed the
  /// other way. nil for a source whose calls all are.
  @usableFromInline package let performAtOnce: Quick?

  /// Makes one of a function that keeps the promises above, and perhaps of a quicker one.
  @inlinable
  package init(
    atOnce performAtOnce: Quick? = nil,
    _ perform: @escaping @Sendable (Call<Value>, @escaping Reply) -> Void
  ) {
    self.perform = perform
    self.performAtOnce = performAtOnce
  }

  /// Makes one of a function that answers at once, without waiting for anything.
  @inlinable
  package init(answering answer: @escaping @Sendable (Call<Value>) -> CallResult<Value>) {
    self.init(atOnce: { call, reply in
      reply(answer(call))
      return true
    }) { call, reply in reply(answer(call)) }
  }
}

/// The outcome of a call: what stands under the query now, or why there is no answer.
@usableFromInline
package typealias CallResult<Value: Sendable> = Result<CallPayload<Value>, DataSourceError>

/// What a call brings or is answered with.
@usableFromInline package enum CallPayload<Value: Sendable>: Sendable {
  /// Nothing: a call that reads or deletes, a null, the answer of `delete`.
  case none
  /// One value.
  case object(Value)
  /// A list.
  case list([Value])
}

/// What can be done with entries, numbered as `GKIT_OPERATION_…`; `deleteAll` is `delete` (L1).
@usableFromInline package enum Verb: Int32, Sendable, CaseIterable {
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
@usableFromInline package struct Call<Value: Sendable>: Sendable {
  @usableFromInline package var verb: Verb
  @usableFromInline package var query: Query
  /// What is to be stored; `none` for the verbs that store nothing, and for a null.
  @usableFromInline package var payload: CallPayload<Value>
  /// By which the caller tells that he no longer waits; nil when he never does.
  @usableFromInline package var canceller: (any Canceller)?
  /// What the door has to say about the query to those who understand it; all others pass it on.
  @usableFromInline package var note: (any Sendable)?

  @inlinable
  package init(
    _ verb: Verb, _ query: Query, _ payload: CallPayload<Value> = .none,
    canceller: (any Canceller)? = nil, note: (any Sendable)? = nil
  ) {
    self.verb = verb
    self.query = query
    self.payload = payload
    self.canceller = canceller
    self.note = note
  }

  /// The same for those who want to be told.
  package var cancellation: Cancellation? { canceller?.cancellation }
}

/// By which the caller of a store tells that he no longer waits.
@usableFromInline package protocol Canceller: AnyObject, Sendable {
  /// Whether he has told so.
  var isCancelled: Bool { get }
  /// What tells those who want to be told; always the same.
  var cancellation: Cancellation { get }
}

extension Cancellation: Canceller {
  @usableFromInline package var cancellation: Cancellation { self }
}
