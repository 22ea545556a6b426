import Streams
public import Values

extension DynamicStream {
  /// Makes a stream by an operator of streams 2.4, named in snake_case or lowerCamelCase.
  ///
  /// Throws `notFound` with the nearest name for an unknown operator, `invalidArgument` for
  /// arguments that are unknown, missing or bad, and `notSupported` where an observable is needed.
  public func apply(
    _ name: String, _ arguments: ValueDictionary = [:]
  ) throws(SourceError) -> DynamicStream {
    try check()
    guard let kind = OperatorName(rawValue: name.snakeCase) else {
      let names = OperatorName.allCases.map(\.rawValue)
      throw .notFound(Nearest.sentence(to: name, among: names, what: "operator"))
    }
    let description = OperatorDescription.of(kind)
    let arguments = try OperatorArguments(arguments, of: description)
    if !description.collections.isEmpty { return try ofCollection(kind, arguments) }
    if description.needsObservable { return try view(kind) }
    switch kind {
    case .throttle, .debounce, .sample, .batch, .timeout:
      return timed(kind, arguments)
    case .window, .movingAverage, .lowPass, .minChange:
      return stepped(kind, arguments)
    case .bracketed: return bracketed(arguments.value("hello"), arguments.value("goodbye"))
    default: return plain(kind)
    }
  }

  private func plain(_ kind: OperatorName) -> DynamicStream {
    switch kind {
    case .distinct: return distinct()
    case .buffered:
      if let observable { return derived(observable.buffered()) }
      return derived(samples.buffered())
    case .counted:
      let counted = samples.accumulated(stamped(.int(0))) { count, sample in
        guard case .int(let number) = count.value else { return count }
        return sample.carrying(.int(number &+ 1), flags: .isNew)
      }
      return DynamicStream(counted, in: context)
    case .reversed: return derived(DynamicCollection.reversedChanges(samples))
    default:
      return derived(
        samples.flatMap { sample -> [Sample] in
          guard case .list(let items) = sample.value else { return [] }
          return items.map { sample.carrying($0) }
        })
    }
  }

  /// A view of an observable.
  private func view(_ kind: OperatorName) throws(SourceError) -> DynamicStream {
    guard let observable else {
      throw .notSupported("\(kind.rawValue) needs a stream that holds a value; this is \(word)")
    }
    if let collection { return collection.view(kind, in: context) }
    let views = HeldViews(of: observable, in: context)
    switch kind {
    case .updates: return DynamicStream(views.updates, in: context)
    case .changes: return DynamicStream(views.changes, in: context)
    default: return DynamicStream(views.tick, in: context)
    }
  }

  private func distinct() -> DynamicStream {
    let isSame = { @Sendable (left: Sample, right: Sample) in left.hasSameContent(as: right) }
    switch form {
    case .updatable(let value, let prepare):
      return DynamicStream(
        value.distinct(by: isSame) as any UpdatableValue<Sample>, in: context,
        preparing: prepare)
    case .observable(let value): return derived(value.distinct(by: isSame))
    default: return derived(samples.distinct(by: isSame))
    }
  }

  private func bracketed(_ hello: Value?, _ goodbye: Value?) -> DynamicStream {
    let context = context
    let initial = hello.map { value in
      { @Sendable () -> Sample? in context.life.stamped(value, flags: []) }
    }
    let final = goodbye.map { value in
      { @Sendable () -> Sample? in context.life.stamped(value) }
    }
    return derived(samples.bracketed(hello: initial, goodbye: final))
  }

  func derived(_ stream: any ValueStream<Sample>) -> DynamicStream {
    DynamicStream(stream, in: context, of: origin)
  }

  private func derived(_ value: any ObservableValue<Sample>) -> DynamicStream {
    DynamicStream(value, in: context, of: origin)
  }
}

extension Sample {
  /// Another payload that this sample caused: at its moment, with its flags unless others are
  /// given.
  func carrying(_ value: Value, flags: SampleFlags? = nil) -> Sample {
    Sample(value, flags: flags ?? self.flags, time: time, realtime: realtime)
  }
}

/// The views of an observable as streams of samples.
struct HeldViews {
  let updates: any ValueStream<Sample>
  let changes: any ValueStream<Sample>
  let tick: any ValueStream<Sample>

  init(of value: any ObservableValue<Sample>, in context: Context) {
    updates = Derived(from: value.updates) { sink in
      { update in
        switch update {
        case .begin: sink.receive(context.life.stamped(.update("begin")))
        case .change(let change):
          let payload = Value.update("change", change.old.value, change.new.value)
          sink.receive(change.new.carrying(payload, flags: .isNew))
        case .end: sink.receive(context.life.stamped(.update("end")))
        }
      }
    }
    changes = Derived(from: value.changes) { sink in
      { change in
        let payload = ValueDictionary([("old", change.old.value), ("new", change.new.value)])
        sink.receive(change.new.carrying(.dictionary(payload), flags: .isNew))
      }
    }
    tick = Derived(from: value.tick) { sink in { _ in sink.receive(context.life.stamped(.none)) } }
  }
}

extension Value {
  fileprivate static func update(
    _ kind: String, _ old: Value = .none, _ new: Value = .none
  ) -> Value {
    .dictionary(ValueDictionary([("kind", .string(kind)), ("old", old), ("new", new)]))
  }
}
