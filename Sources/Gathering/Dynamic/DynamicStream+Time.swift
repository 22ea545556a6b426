import Ground
import Streams
import Values

/// The operators that measure time or remember what came.
extension DynamicStream {
  /// Those that act when nothing comes, too.
  func timed(_ kind: Operator, _ given: StreamArguments) throws(SourceError) -> DynamicStream {
    var arguments = given
    let duration = try arguments.duration()
    let work: SampleOperator
    switch kind {
    case .throttle:
      let latest = try arguments.flag("latest") ?? true
      let duration = try arguments.required(duration, "duration_ns")
      work = .throttle(Throttle(duration, latest: latest))
    case .debounce:
      work = .debounce(Debounce(try arguments.required(duration, "duration_ns")))
    case .sample:
      work = .sampler(Sampler(every: try arguments.required(duration, "duration_ns")))
    case .batch:
      let count = try arguments.count("count")
      if count == nil { _ = try arguments.required(duration, "count or duration_ns") }
      work = .batch(Batch(count: Int(clamping: count ?? .max), within: duration))
    default:
      let duration = try arguments.required(duration, "duration_ns")
      let substitute = try arguments.required(arguments.value("substitute"), "substitute")
      work = .timeout(Timeout(duration, substitute: Sample(substitute, time: .unstamped)))
    }
    try arguments.finish()
    let stream = StatefulStream(samples, work, on: context.queue)
    guard kind == .timeout else { return derived(stream) }
    let context = context
    return derived(
      Derived(from: stream) { sink in
        { sample in
          sink.receive(sample.time == .unstamped ? context.stamped(sample.value) : sample)
        }
      })
  }

  /// Those that answer each value at once.
  func stepped(_ kind: Operator, _ given: StreamArguments) throws(SourceError) -> DynamicStream {
    var arguments = given
    switch kind {
    case .window, .movingAverage:
      let name = kind == .window ? "count" : "window"
      let count = try arguments.count(name)
      let duration = try arguments.duration()
      try arguments.exactlyOne(count, duration, "\(name) or duration_ns")
      try arguments.finish()
      let span = duration.map(Span.duration) ?? .count(Int(clamping: count ?? 1))
      if kind == .window { return windows(span) }
      return numbers(MovingAverage(span)) { average, number, now in
        average.step(number, at: now)
      }
    case .lowPass:
      let constant = try arguments.duration("time_constant_ns")
      let alpha = try arguments.number("alpha", in: 0...1)
      try arguments.exactlyOne(constant, alpha, "time_constant_ns or alpha")
      try arguments.finish()
      let filter = constant.map { LowPass(timeConstant: $0) } ?? LowPass(alpha: alpha ?? 1)
      return numbers(TimedLowPass(filter: filter)) { $0.step($1, at: $2) }
    default:
      let range = 0...Double.greatestFiniteMagnitude
      let delta = try arguments.required(try arguments.number("delta", in: range), "delta")
      try arguments.finish()
      return changes(of: delta)
    }
  }

  private func windows(_ span: Span) -> DynamicStream {
    let clock = context.queue
    return derived(
      Derived(from: samples) { sink in
        let window = OperatorMemory(SlidingWindow<Sample>(span))
        return { sample in
          let list = window.update { $0.step(sample, at: clock.now) }
          if let list { sink.receive(sample.carrying(.list(list.map(\.value)))) }
        }
      })
  }

  /// What a number makes of the state; what is no number passes as NONE and leaves it alone.
  private func numbers<State: Sendable>(
    _ start: State, _ step: @escaping @Sendable (inout State, Double, Moment) -> Double
  ) -> DynamicStream {
    let clock = context.queue
    return derived(
      Derived(from: samples) { sink in
        let memory = OperatorMemory(start)
        return { sample in
          var result = sample
          result.value = .none
          if let number = sample.value.number {
            let answer = memory.update { step(&$0, number, clock.now) }
            guard let answer else { return }
            result.value = .double(answer)
          }
          sink.receive(result)
        }
      })
  }

  private func changes(of delta: Double) -> DynamicStream {
    derived(
      Derived(from: samples) { sink in
        let gate = OperatorMemory(MinChange(delta))
        return { sample in
          var result = sample
          if let number = sample.value.number {
            guard gate.update({ $0.passes(number) }) == true else { return }
          } else {
            result.value = .none
          }
          sink.receive(result)
        }
      })
  }
}

extension Int64 {
  /// The time of a sample that is stamped when it is sent.
  static var unstamped: Int64 { .min }
}

/// A low-pass filter and the moment of its last number.
private struct TimedLowPass: Sendable {
  var filter: LowPass
  var last = Moment(nanoseconds: 0)

  mutating func step(_ number: Double, at now: Moment) -> Double {
    defer { last = now }
    return filter.step(number, dt: (now - last).inSeconds)
  }
}
