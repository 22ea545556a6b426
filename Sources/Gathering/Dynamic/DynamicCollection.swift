import Streams
import Values

/// A list or set of values, whose changes C and Python hear of.
struct DynamicCollection: Sendable {
  enum Form: Sendable {
    case list(any ObservableArray<Value>, ArrayVariable<Value>?)
    case set(any ObservableSet<Value>, SetVariable<Value>?)
  }

  /// The most elements.
  static let limit = ArrayVariable<Value>.limit

  let form: Form
  /// Whether the next transform works on the elements.
  var isByElement = false

  // MARK: Views

  /// How it changes, as a stream: `updates`, `changes` or `tick`.
  func view(_ kind: OperatorName, in context: Context) -> DynamicStream {
    let stream: any ValueStream<Sample>
    switch (form, kind) {
    case (.list(let list, _), .updates):
      stream = Self.updates(list.updates, in: context) { .dictionary($0.dictionary) }
    case (.set(let set, _), .updates):
      stream = Self.updates(set.updates, in: context) { .dictionary($0.dictionary) }
    case (.list(let list, _), .changes):
      stream = Derived(from: list.changes) { sink in
        { sink.receive(context.life.stamped(.dictionary($0.dictionary))) }
      }
    case (.set(let set, _), .changes):
      stream = Derived(from: set.changes) { sink in
        { sink.receive(context.life.stamped(.dictionary($0.dictionary))) }
      }
    case (.list(let list, _), _): stream = Self.ticks(list.tick, in: context)
    case (.set(let set, _), _): stream = Self.ticks(set.tick, in: context)
    }
    return DynamicStream(stream, in: context)
  }

  private static func updates<Change: Sendable>(
    _ updates: any ValueStream<TransactionEvent<Change>>, in context: Context,
    _ value: @escaping @Sendable (Change) -> Value
  ) -> any ValueStream<Sample> {
    Derived(from: updates) { sink in
      { event in
        var members: ValueDictionary
        switch event {
        case .begin: members = ["kind": .string("begin")]
        case .change(let change): members = ["kind": .string("change"), "change": value(change)]
        case .end: members = ["kind": .string("end")]
        }
        sink.receive(context.life.stamped(.dictionary(members)))
      }
    }
  }

  private static func ticks(
    _ ticks: any ValueStream<Void>, in context: Context
  ) -> any ValueStream<Sample> {
    Derived(from: ticks) { sink in { _ in sink.receive(context.life.stamped(.none)) } }
  }

  // MARK: Operators

  /// The elements for which a function has a result, and these.
  func transformed(
    by function: UserFunction, in context: Context,
    _ body: @escaping @Sendable (Sample) -> Sample?
  ) -> DynamicStream {
    let transform = { @Sendable (element: Value) -> Value? in
      let sample = context.life.stamped(element)
      var made: Value?
      function.call { made = body(sample)?.value }
      return made
    }
    switch form {
    case .list(let list, _): return .list(list.compactMap(transform), in: context)
    case .set(let set, _): return .set(set.compactMap(transform), in: context)
    }
  }

  /// Whether it has an element, as an observable.
  func contains(_ element: Value) -> any ObservableValue<Bool> {
    switch form {
    case .list(let list, _): list.contains(element)
    case .set(let set, _): set.contains(element)
    }
  }

  /// How many elements it has, as an observable.
  var count: any ObservableValue<Int> {
    switch form {
    case .list(let list, _): list.count
    case .set(let set, _): set.count
    }
  }

  /// Its elements in order, by themselves or by a member of each.
  func sorted(by key: String?, isDescending: Bool) -> ArrayView<Value> {
    let order = ValueOrder(key: key, isDescending: isDescending)
    return switch form {
    case .list(let list, _): list.sorted(by: order.isBefore)
    case .set(let set, _): set.sorted(by: order.isBefore)
    }
  }

  /// Every element that is put in.
  var elements: any ValueStream<Value> {
    switch form {
    case .list(let list, _): list.elements
    case .set(let set, _): set.elements
    }
  }
}
