import Gathering
import Ground
import Streams

/// A kind that holds samples back as an operator of streams does, by the times of the samples.
protocol HoldingKind: LibraryKind, TimedPatchKind {
  associatedtype Operator: HoldingOperator where Operator.Value == Sample
  /// The operator; nil while no duration is set: then everything passes.
  var holding: Operator? { get set }
}

extension HoldingKind {
  static var inputs: [PortDescription] { [PortDescription("value")] }
  static var outputs: [PortDescription] { [PortDescription("value")] }

  var due: Int64? { holding?.due?.nanoseconds }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let duration = Duration.nanoseconds(try value.duration(of: option))
    if holding == nil { holding = Operator(duration) } else { holding?.duration = duration }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard var holding = holding.take() else { return publish("value", sample.value) }
    defer { self.holding = holding }
    // By the times of the samples the one that waits was due, however late this one came.
    if let due = holding.due, sample.time >= due.nanoseconds, let late = holding.ring(at: due).value
    {
      publish("value", late.value)
    }
    let passed = holding.receive(sample, at: Moment(nanoseconds: sample.time)).value
    if let passed { publish("value", passed.value) }
  }

  mutating func fire(at now: Int64, _ publish: (String, Sample) -> Void) {
    guard let due = holding?.due, now >= due.nanoseconds,
      let sample = holding?.ring(at: due).value
    else { return }
    publish("value", sample)
  }
}
