import Gathering

/// The newest value, once it has been quiet for a while (streams L34).
struct Debounce: LibraryKind, TimedPatchKind {
  static let type = "debounce"
  static let summary = "The newest value, once a duration has passed without another."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = [PortDescription("duration", .double, unit: "s")]

  private var duration: Int64 = 0
  private var waiting: Sample?

  init() {}

  var due: Int64? { waiting.map { $0.time.later(by: duration) } }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    duration = try value.duration(of: option)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    if duration == 0 { return publish("value", sample.value) }
    // By the times of the samples it was quiet for long enough, however late this one came.
    if let waiting, let due, sample.time >= due { publish("value", waiting.value) }
    waiting = sample
  }

  mutating func fire(at now: Int64, _ publish: (String, Sample) -> Void) {
    guard let sample = waiting, let due, now >= due else { return }
    waiting = nil
    publish("value", sample)
  }
}

extension Int64 {
  /// A moment some nanoseconds later, or the end of time.
  func later(by nanoseconds: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }
}
