import Streams
import Values

extension DynamicStream {
  /// Makes one stream of several: `merge`, `combine`, or an operator of streams 2.4 such as `+`.
  ///
  /// Of observables the result is an observable, and `combine` of updatables is updatable. Throws
  /// `notFound` for an unknown operator and `invalidArgument` for a wrong number of streams.
  public static func combine(
    _ streams: [DynamicStream], _ name: String
  ) throws(SourceError) -> DynamicStream {
    guard let first = streams.first else {
      throw .invalidArgument("\(name) needs at least one stream")
    }
    try first.check()
    for stream in streams { try first.check(isTogetherWith: stream) }
    switch Merging(rawValue: name) {
    case .merge: return DynamicStream(merge(streams.map(\.samples)), in: first.context)
    case .combine: return try first.combined(all: streams)
    case nil: break
    }
    if let joining = Joining(rawValue: name) { return try joining.joined(streams) }
    guard let combination = Combination(rawValue: name) else {
      let names =
        Merging.allCases.map(\.rawValue) + Joining.allCases.map(\.rawValue)
        + Combination.allCases.map(\.rawValue)
      throw .notFound(Nearest.sentence(to: name, among: names, what: "operator"))
    }
    guard combination.counts.contains(streams.count) else {
      throw .invalidArgument("\(name) cannot be made of \(streams.count) streams")
    }
    if streams.count == 2, let left = first.observable, let right = streams[1].observable {
      let sum = Streams.combined(left, right) { left, right in
        Sample.newer(of: left, right) { combination.result(of: left.value, right.value) }
      }
      return DynamicStream(sum, in: first.context)
    }
    return first.combined(streams) { samples in
      Sample.newest(of: samples) { combination.result(of: samples.map(\.value)) }
    }
  }

  private func combined(
    _ streams: [DynamicStream], _ function: @escaping @Sendable ([Sample]) -> Sample
  ) -> DynamicStream {
    let values = streams.compactMap(\.observable)
    if values.count == streams.count {
      return DynamicStream(Streams.combined(values, by: function), in: context)
    }
    return DynamicStream(
      Derived(from: combineLatest(streams.map(\.samples))) { sink in
        { samples in sink.receive(function(samples)) }
      }, in: context)
  }

  private func combined(all streams: [DynamicStream]) throws(SourceError) -> DynamicStream {
    let list = { @Sendable (samples: [Sample]) in
      Sample.newest(of: samples, isWhole: true) { .list(samples.map(\.value)) }
    }
    var targets: [any UpdatableValue<Sample>] = []
    var preparations: [Preparation] = []
    for stream in streams {
      guard case .updatable(let value, let prepare) = stream.form else { continue }
      targets.append(value)
      preparations.append(prepare)
    }
    guard targets.count == streams.count else { return combined(streams, list) }
    let prepare = Self.preparation(writing: targets, by: preparations)
    return DynamicStream(
      Streams.combined(targets, by: list, writing: Self.setter(prepare)), in: context,
      preparing: prepare)
  }

  /// Sets all parts to the items of a list, in one transaction, or none of them.
  private static func preparation(
    writing targets: [any UpdatableValue<Sample>], by preparations: [Preparation]
  ) -> Preparation {
    { sample in
      guard case .list(let items) = sample.value, items.count == targets.count else {
        throw SourceError.invalidArgument("it takes a LIST of \(targets.count) values")
      }
      let sets = try zip(preparations, items).map { prepare, item in
        try prepare(sample.carrying(item))
      }
      return {
        for target in targets { target.begin() }
        var delivery = Delivery.delivered
        for set in sets {
          let result = set()
          if case .refused = delivery { continue }
          if result != .delivered { delivery = result }
        }
        for target in targets.reversed() { try? target.end() }
        return delivery
      }
    }
  }

  /// Makes a setter from a preparation, for callers that need only a refusal.
  static func setter(
    _ prepare: @escaping Preparation
  ) -> @Sendable (Sample) -> Delivery {
    { sample in (try? prepare(sample))?() ?? .refused(.notSupported) }
  }
}

extension Sample {
  /// The times of a combined sample: the newest of its parts. An absent part makes the result
  /// absent, unless the result has a value without it.
  fileprivate static func newest(
    of samples: [Sample], isWhole: Bool = false, _ value: () -> Value
  ) -> Sample {
    let newest = samples.max { $0.time < $1.time }
    var result = newest?.carrying(.none) ?? Sample(.none)
    result.show(isNew: samples.contains { $0.flags.contains(.isNew) })
    if let absent = isWhole ? nil : samples.first(where: { !$0.status.hasPayload }) {
      result.take(absenceOf: absent)
    } else {
      result.value = value()
      if !isWhole, samples.contains(where: { $0.status == .stale }) { result.status = .stale }
    }
    return result
  }

  /// The same for two, without a list of them.
  fileprivate static func newer(
    of left: Sample, _ right: Sample, _ value: () -> Value
  ) -> Sample {
    let isRight = right.time > left.time
    var result = Sample(
      .none, flags: isRight ? right.flags : left.flags, time: isRight ? right.time : left.time,
      realtime: isRight ? right.realtime : left.realtime)
    result.show(isNew: left.flags.union(right.flags).contains(.isNew))
    if !left.status.hasPayload {
      result.take(absenceOf: left)
    } else if !right.status.hasPayload {
      result.take(absenceOf: right)
    } else {
      result.value = value()
      if left.status == .stale || right.status == .stale { result.status = .stale }
    }
    return result
  }

  private mutating func show(isNew: Bool) {
    if isNew { flags.insert(.isNew) } else { flags.remove(.isNew) }
  }

  private mutating func take(absenceOf part: Sample) {
    value = .none
    status = part.status
    absence = part.absence
  }
}
