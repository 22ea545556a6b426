import Gathering

/// At most one value in a duration (streams L33).
struct Throttle: LibraryKind, TimedPatchKind {
  static let type = "throttle"
  static let summary = "At most one value in a duration, the newest at its end."
  static let inputs = [PortDescription("value")]
  static let outputs = [PortDescription("value")]
  static let options = [PortDescription("duration", .double, unit: "s")]

  private var duration: Int64 = 0
  private var opensAt: Int64?
  private var waiting: Sample?

  init() {}

  var due: Int64? { waiting == nil ? nil : opensAt }

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    duration = try value.duration(of: option)
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    if duration == 0 { return publish("value", sample.value) }
    if let opening = opensAt, sample.time >= opening, let late = waiting {
      // The gate opened between the two samples, and the waiting one passed then.
      waiting = nil
      publish("value", late.value)
      opensAt = opening.later(by: duration)
    }
    if let opensAt, sample.time < opensAt {
      waiting = sample
    } else {
      publish("value", sample.value)
      opensAt = sample.time.later(by: duration)
    }
  }

  mutating func fire(at now: Int64, _ publish: (String, Sample) -> Void) {
    guard let sample = waiting, let opening = opensAt, now >= opening else { return }
    waiting = nil
    opensAt = opening.later(by: duration)
    publish("value", sample)
  }
}
