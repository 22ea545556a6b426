import Ground
import Streams
import Values

/// An operator with timers or state: one type for all of them, so that the stream's code is
/// specialised once.
///
/// The operator is moved out of `self` while it works, so that no list of a batch is copied.
enum SampleOperator: StreamOperator {
  case throttle(ThrottleOperator<Sample>)
  case debounce(DebounceOperator<Sample>)
  case sampler(SamplingOperator<Sample>)
  case timeout(TimeoutOperator<Sample>)
  case batch(BatchOperator<Sample>)

  /// The operator of a name; the arguments are those its row in the table asks for.
  init(_ name: OperatorName, _ arguments: OperatorArguments) {
    let duration = arguments.duration()
    let span = duration ?? .zero
    switch name {
    case .throttle: self = .throttle(ThrottleOperator(span, latest: arguments.flag("latest")))
    case .debounce: self = .debounce(DebounceOperator(span))
    case .sample: self = .sampler(SamplingOperator(every: span))
    case .batch:
      self = .batch(BatchOperator(count: arguments.count("count") ?? .max, within: duration))
    default:
      let substitute = Sample(arguments.value("substitute") ?? .none, time: .unstamped)
      self = .timeout(TimeoutOperator(span, substitute: substitute))
    }
  }

  mutating func open(at now: Moment) -> OperatorEffect<Sample> {
    switch consume self {
    case .sampler(var sampler):
      defer { self = .sampler(sampler) }
      return sampler.open(at: now)
    case .timeout(var timeout):
      defer { self = .timeout(timeout) }
      return timeout.open(at: now)
    case let other:
      self = other
      return OperatorEffect()
    }
  }

  mutating func receive(_ value: Sample, at now: Moment) -> OperatorEffect<Sample> {
    switch consume self {
    case .throttle(var throttle):
      defer { self = .throttle(throttle) }
      return throttle.receive(value, at: now)
    case .debounce(var debounce):
      defer { self = .debounce(debounce) }
      return debounce.receive(value, at: now)
    case .sampler(var sampler):
      defer { self = .sampler(sampler) }
      return sampler.receive(value, at: now)
    case .timeout(var timeout):
      defer { self = .timeout(timeout) }
      return timeout.receive(value, at: now)
    case .batch(var batch):
      defer { self = .batch(batch) }
      return OperatorEffect(list: batch.receive(value, at: now))
    }
  }

  mutating func ring(at now: Moment) -> OperatorEffect<Sample> {
    switch consume self {
    case .throttle(var throttle):
      defer { self = .throttle(throttle) }
      return throttle.ring(at: now)
    case .debounce(var debounce):
      defer { self = .debounce(debounce) }
      return debounce.ring(at: now)
    case .sampler(var sampler):
      defer { self = .sampler(sampler) }
      return sampler.ring(at: now)
    case .timeout(var timeout):
      defer { self = .timeout(timeout) }
      return timeout.ring(at: now)
    case .batch(var batch):
      defer { self = .batch(batch) }
      return OperatorEffect(list: batch.ring(at: now))
    }
  }
}

extension OperatorEffect<Sample> {
  /// A response with a list as one sample, at the moment of its newest item.
  fileprivate init(list response: OperatorEffect<[Sample]>) {
    let samples = response.value ?? []
    let payload = Value.list(samples.map(\.value))
    self.init(samples.last?.carrying(payload, flags: .isNew))
    switch response.alarm {
    case .off: alarm = .off
    case .at(let moment): alarm = .at(moment)
    case .keep: alarm = .keep
    }
  }
}
