import Ground
import Streams
import Values

/// The operators that measure time or keep former values.
extension DynamicStream {
  /// Those that act when nothing comes, too; the arguments are those its row in the table asks for.
  func timed(_ kind: OperatorName, _ arguments: OperatorArguments) -> DynamicStream {
    let work = SampleOperator(kind, arguments)
    let stream = StatefulStream(samples, work, on: context.queue)
    guard kind == .timeout else { return derived(stream) }
    let context = context
    return derived(
      Derived(from: stream) { sink in
        { sample in
          sink.receive(sample.time == .unstamped ? context.life.stamped(sample.value) : sample)
        }
      })
  }

  /// Those that answer each value at once; the arguments are those its row in the table asks for.
  func stepped(_ kind: OperatorName, _ arguments: OperatorArguments) -> DynamicStream {
    let duration = arguments.duration()
    switch kind {
    case .window:
      return windows(duration.map(Span.duration) ?? .count(arguments.count("count") ?? 1))
    case .movingAverage:
      let span = duration.map(Span.duration) ?? .count(arguments.count("window") ?? 1)
      return numbers(MovingAverageFilter<Double>(span)) { $0.next($1, at: $2) }
    case .lowPass:
      let constant = arguments.duration("time_constant")?.inSeconds
      let strength = constant.map(LowPassFilter<Double>.Strength.timeConstant)
      let filter = LowPassFilter<Double>(strength ?? .alpha(arguments.number("alpha") ?? 1))
      return numbers(filter) { $0.next($1, at: $2) }
    default: return changes(of: arguments.number("delta") ?? 0)
    }
  }

  private func windows(_ span: Span) -> DynamicStream {
    let clock = context.queue
    return derived(
      Derived(from: samples) { sink in
        let window = OperatorMemory(SlidingWindow<Sample>(span))
        return { sample in
          let list = window.update { $0.next(sample, at: clock.now) }
          if let list { sink.receive(sample.carrying(.list(list.map(\.value)))) }
        }
      })
  }

  /// Applies a function with state to numbers; other values pass as NONE and do not change the
  /// state.
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
        let gate = OperatorMemory(MinChangeFilter(delta))
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
