import Ground
import Streams
public import Values

extension DynamicStream {
  /// A list that can be changed.
  static func list(of elements: [Value], in context: Context) -> DynamicStream {
    let list = ArrayVariable(elements) { [life = context.life] in life.stamp }
    let set: Preparation = { sample in
      let elements = try Self.elements(of: sample)
      return { Self.delivery { () throws(StreamError) in try list.set(elements) } }
    }
    let value = list.variable.map({ $0.sample }, writing: setter(set))
    return DynamicStream(
      value, in: context, preparing: set, collection: DynamicCollection(form: .list(list, list)))
  }

  /// A set that can be changed.
  static func set(of elements: [Value], in context: Context) -> DynamicStream {
    let collection = SetVariable(elements) { [life = context.life] in life.stamp }
    let set: Preparation = { sample in
      let elements = try Self.elements(of: sample)
      return { Self.delivery { () throws(StreamError) in try collection.set(elements) } }
    }
    let value = collection.variable.map({ $0.sample }, writing: setter(set))
    return DynamicStream(
      value, in: context, preparing: set,
      collection: DynamicCollection(form: .set(collection, collection)))
  }

  /// A list that is made of others.
  static func list(_ list: any ObservableArray<Value>, in context: Context) -> DynamicStream {
    DynamicStream(
      list.moments.map { $0.sample }, in: context,
      collection: DynamicCollection(form: .list(list, nil)))
  }

  /// A set that is made of others.
  static func set(_ set: any ObservableSet<Value>, in context: Context) -> DynamicStream {
    DynamicStream(
      set.moments.map { $0.sample }, in: context,
      collection: DynamicCollection(form: .set(set, nil)))
  }

  private static func elements(of sample: Sample) throws -> [Value] {
    guard case .list(let elements) = sample.value else {
      throw SourceError.type("a list or set takes a LIST")
    }
    if elements.count > DynamicCollection.limit { throw SourceError(StreamError.limit) }
    return elements
  }

  private static func delivery(_ body: () throws(StreamError) -> Void) -> Delivery {
    do throws(StreamError) {
      try body()
      return .delivered
    } catch { return .refused(error) }
  }

  // MARK: Changing

  /// Changes a list or set: {at?, remove?, insert?} of a list, {insert?, remove?} of a set, or a
  /// change that fits: {count, modifications} or {removed, inserted}.
  ///
  /// Throws `invalidArgument` for an index that is not there and a change that does not fit,
  /// `type`, `limit`, and `notSupported` for what is no list or set, or is derived.
  public func modify(_ modification: ValueDictionary) throws {
    try check()
    guard let collection else {
      throw SourceError.notSupported("a stream that is \(word) is no list or set")
    }
    let change: @Sendable () throws(StreamError) -> Void
    switch collection.form {
    case .list(_, let list?):
      let modification = try ListModification(modification)
      change = { () throws(StreamError) in try modification.apply(to: list) }
    case .set(_, let set?):
      let modification = try SetModification(modification)
      change = { () throws(StreamError) in try modification.apply(to: set) }
    case .list, .set:
      throw SourceError.notSupported("a list or set that is made of others cannot be changed")
    }
    try sending { Self.delivery(change) }
  }

  // MARK: Operators

  /// An operator of lists and sets.
  func ofCollection(
    _ kind: OperatorName, _ arguments: OperatorArguments
  ) throws(SourceError) -> DynamicStream {
    guard var collection else {
      throw .notSupported("\(kind.rawValue) needs a list or set; this stream is \(word)")
    }
    switch kind {
    case .count: return fact(collection.count) { .int(Int64($0)) }
    case .contains:
      return fact(collection.contains(arguments.value("value") ?? .none)) { .bool($0) }
    case .sum:
      guard case .list(let list, _) = collection.form else {
        throw .notSupported("sum needs a list; this is a set")
      }
      return fact(ValueSum().following(list.moments)) { $0 }
    case .sorted:
      let key = arguments.value("by")
      if let key, key.text == nil { throw .type("by must be a STRING") }
      let isDescending = arguments.flag("descending")
      return .list(collection.sorted(by: key?.text, isDescending: isDescending), in: context)
    case .elements:
      let context = context
      return DynamicStream(
        Derived(from: collection.elements) { sink in
          { sink.receive(context.life.stamped($0)) }
        }, in: context)
    default:
      collection.isByElement = true
      guard let observable else { return self }
      return DynamicStream(observable, in: context, collection: collection)
    }
  }

  private func fact<Fact: Sendable>(
    _ fact: any ObservableValue<Fact>, _ value: @escaping @Sendable (Fact) -> Value
  ) -> DynamicStream {
    let context = context
    let samples: any ObservableValue<Sample> = fact.map { context.life.stamped(value($0)) }
    return DynamicStream(samples, in: context)
  }
}

/// What makes one list or set of several.
enum Joining: String, CaseIterable, Sendable {
  case concat, union

  /// What it holds, in one line.
  var summary: String {
    switch self {
    case .concat: "the elements of two to six lists, one list after the other"
    case .union: "what is in any of two to six sets"
    }
  }

  /// Of which type all of them must be.
  var collection: OperatorDescription.Collection {
    switch self {
    case .concat: .list
    case .union: .set
    }
  }

  func joined(_ streams: [DynamicStream]) throws(SourceError) -> DynamicStream {
    guard (2...6).contains(streams.count) else {
      throw .invalidArgument("\(rawValue) takes two to six streams")
    }
    var lists: [any ObservableArray<Value>] = []
    var sets: [any ObservableSet<Value>] = []
    for stream in streams {
      switch (self, stream.collection?.form) {
      case (.concat, .list(let list, _)): lists.append(list)
      case (.union, .set(let set, _)): sets.append(set)
      default:
        throw .notSupported("\(rawValue) needs \(collection.rawValue)s")
      }
    }
    let context = streams[0].context
    return self == .concat
      ? .list(concatenated(lists), in: context) : .set(Streams.union(sets), in: context)
  }
}

extension ArrayMoment where Element == Value {
  fileprivate var sample: Sample {
    Sample(.list(elements), flags: .isNew, time: stamp.time, realtime: stamp.realtime)
  }
}

extension SetMoment where Element == Value {
  fileprivate var sample: Sample {
    Sample(.list(elements), flags: .isNew, time: stamp.time, realtime: stamp.realtime)
  }
}

extension ContextLife {
  /// The present moment, for a change of a list or set.
  fileprivate var stamp: MomentStamp {
    let now = now
    return MomentStamp(time: now.boot, realtime: now.realtime)
  }
}
