import Ground
import Streams
import Values

/// The work of one operator in time: one type for all, for one copy of the seat they work on.
///
/// Exactly one of the parts is there.
struct SampleWork: SeatWork {
  var throttle: Throttle<Sample>?
  var debounce: Debounce<Sample>?
  var sampler: Sampler<Sample>?
  var timeout: Timeout<Sample>?
  var batch: Batch<Sample>?

  mutating func open(at now: Moment) -> SeatResponse<Sample> {
    sampler?.open(at: now) ?? timeout?.open(at: now) ?? SeatResponse()
  }

  mutating func receive(_ value: Sample, at now: Moment) -> SeatResponse<Sample> {
    throttle?.receive(value, at: now) ?? debounce?.receive(value, at: now)
      ?? sampler?.receive(value, at: now) ?? timeout?.receive(value, at: now)
      ?? SeatResponse(list: batch?.receive(value, at: now))
  }

  mutating func ring(at now: Moment) -> SeatResponse<Sample> {
    throttle?.ring(at: now) ?? debounce?.ring(at: now)
      ?? sampler?.ring(at: now) ?? timeout?.ring(at: now)
      ?? SeatResponse(list: batch?.ring(at: now))
  }
}

extension SeatResponse<Sample> {
  /// A response with a list as one sample, at the moment of its newest item.
  fileprivate init(list response: SeatResponse<[Sample]>?) {
    let samples = response?.value ?? []
    let payload = Value.list(samples.map(\.value))
    self.init(samples.last?.carrying(payload, flags: .isNew))
    switch response?.alarm {
    case .off: alarm = .off
    case .at(let moment): alarm = .at(moment)
    case .keep, nil: alarm = .keep
    }
  }
}
