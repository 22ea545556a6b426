import Streams
public import Values

extension DynamicStream {
  private enum Kind: String, CaseIterable {
    case signal, variable, publink, timer, list, set, sources
  }

  /// Makes a stream of a type: `signal`, `variable` {value}, `publink` {replays_last?}, `timer`
  /// {start_ns?, interval_ns}, `list` {value?}, `set` {value?}, `sources` {kind?}.
  ///
  /// Throws `notFound` for an unknown type and `invalidArgument` for an unknown or bad option.
  public static func make(
    _ type: String, _ options: ValueDictionary = [:], in context: Context
  ) throws(SourceError) -> DynamicStream {
    try context.check()
    guard let kind = Kind(rawValue: type) else {
      let names = Kind.allCases.map(\.rawValue)
      throw .notFound(Nearest.sentence(to: type, among: names, what: "type of stream"))
    }
    var options = StreamArguments(options, of: type)
    switch kind {
    case .signal:
      try options.finish()
      return DynamicStream(Signal<Sample>(), in: context)
    case .variable:
      let value = options.value("value") ?? .none
      try options.finish()
      return DynamicStream(Variable(context.life.stamped(value)), in: context)
    case .publink:
      let replaysLast = try options.flag("replays_last") ?? true
      try options.finish()
      return DynamicStream(Publink<Sample>(replaysLast: replaysLast), in: context)
    case .timer:
      let start = try options.integer("start_ns")
      let given = try options.integer("interval_ns", from: 1)
      let interval = try options.required(given, "interval_ns")
      try options.finish()
      return DynamicStream(DynamicTimer(start: start, every: interval, in: context), in: context)
    case .list, .set:
      let given = options.value("value") ?? .list([])
      try options.finish()
      guard case .list(let elements) = given else { throw .type("value must be a LIST") }
      if elements.count > DynamicCollection.limit { throw SourceError(StreamError.limit) }
      return kind == .list ? .list(of: elements, in: context) : .set(of: elements, in: context)
    case .sources:
      let word = options.value("kind")
      try options.finish()
      if let word, word.text == nil { throw .type("kind must be a STRING") }
      let instances = try context.instances(of: word?.text)
      return .list(instances.map { .dictionary($0.dictionary()) }, in: context)
    }
  }

  private enum Option: String, CaseIterable {
    case replaysLast = "replays_last"
    case start = "start_ns"
    case interval = "interval_ns"
    case cascadeLimit = "cascade_limit"
  }

  /// Changes an option, with immediate effect.
  ///
  /// Throws `notFound` for an unknown option, `notSupported` where the stream has no such option,
  /// `type` and `invalidArgument` for bad values.
  public func setOption(_ name: String, to value: Value) throws(SourceError) {
    try check()
    guard let option = Option(rawValue: name.snakeCase) else {
      let names = Option.allCases.map(\.rawValue)
      throw .notFound(Nearest.sentence(to: name, among: names, what: "option"))
    }
    switch (option, form) {
    case (.replaysLast, .publink(let publink)):
      guard case .bool(let flag) = value else { throw .type("\(name) must be a BOOL") }
      publink.replaysLast = flag
    case (.start, .timer(let timer)): timer.set(start: try integer(value, name))
    case (.interval, .timer(let timer)):
      timer.set(interval: try integer(value, name, from: 1))
    case (.cascadeLimit, _):
      setCascadeLimit(Int(clamping: try integer(value, name, from: 1)))
    default: throw .notSupported("a stream that is \(word) has no option \(name)")
    }
  }

  private func integer(
    _ value: Value, _ name: String, from least: Int64 = .min
  ) throws(SourceError) -> Int64 {
    guard case .int(let number) = value else { throw .type("\(name) must be an INT") }
    if number < least { throw .invalidArgument("\(name) must be at least \(least)") }
    return number
  }
}
