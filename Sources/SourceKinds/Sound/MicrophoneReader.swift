import Gathering
import Ground
import Machine
import Values

/// Reads the sound level from a capture that all sessions share.
///
/// A reading carries the state of the meter; the level between two readings is computed for each
/// session separately.
final class MicrophoneReader: InstanceReader {
  private typealias Field = Microphone.Field

  /// The data of a reading besides its outcomes.
  struct Counters {
    var overruns: Int64
    var meter: LevelMeter

    init(overruns: Int64, meter: LevelMeter) {
      self.overruns = overruns
      self.meter = meter
    }

    /// The counters of a reading; nil if it has none.
    init?(_ numbers: [Int64]) {
      guard let first = numbers.first, let meter = LevelMeter(numbers.dropFirst()) else {
        return nil
      }
      self.init(overruns: first, meter: meter)
    }

    var numbers: [Int64] { [overruns] + meter.numbers }
  }

  private let pcm: String
  private let hearing = MicrophoneHearing()
  private let capture: any Cancellable

  /// Opens a PCM. Throws what opening it throws.
  init(_ pcm: String, _ captures: any SoundOpener) throws(SystemError) {
    self.pcm = pcm
    let hearing = hearing
    capture = try captures.open(pcm) { hearing.take($0) }
  }

  deinit { capture.cancel() }

  var holdsDevice: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let state = hearing.state
    if let error = state.failure {
      reading.counters = []
      let text = "\(error.place): \(SystemText.message(of: error.code))"
      for field in [Field.rmsLevel, .peakLevel, .clippedSamples, .overruns] {
        reading[field] = .failed(text, errno: error.code)
      }
    } else {
      reading.counters = state.counters.numbers
      reading[Field.rmsLevel] = .needsTwoReadings
      reading[Field.peakLevel] = .needsTwoReadings
      let noStart = Outcome.noData("counts from a start on")
      reading[Field.clippedSamples] = noStart
      reading[Field.overruns] = noStart
    }
    guard request.scope == .everything else { return }
    let notBegun = Outcome.noData("capture has not begun")
    reading[Field.sampleRate] = state.format.map { .ok(.double(Double($0.rate))) } ?? notBegun
    reading[Field.channels] = state.format.map { .ok(.int(Int64($0.channels))) } ?? notBegun
    reading[Field.device] = .ok(.string(pcm))
  }

  /// Levels have no payload of the backend's: samples are never handed out.
  func raw(ofPropertyAt index: Int) -> RawValue? {
    let state = hearing.state
    let number: Int?
    switch Field(rawValue: index) {
    case .overruns: number = Int(clamping: state.counters.overruns)
    case .sampleRate: number = state.format?.rate
    case .channels: number = state.format?.channels
    case .device: return RawValue(pcm.utf8, place: pcm)
    case .rmsLevel, .peakLevel, .clippedSamples, nil: number = nil
    }
    return number.map { RawValue("\($0)".utf8, place: pcm) }
  }
}

/// The sound a capture has measured so far.
private final class MicrophoneHearing: Sendable {
  struct State {
    var format: SoundFormat?
    var counters = MicrophoneReader.Counters(overruns: 0, meter: LevelMeter())
    var failure: SystemError?
    /// Samples still to be dropped: a suspended device starts with a pop.
    var pop = 0
  }

  private let levels = Monitor(State())

  var state: State { levels.withLock { $0 } }

  func take(_ event: SoundEvent) {
    levels.withLock { state in
      switch event {
      case .began(let format):
        state.format = format
        state.pop = format.rate / 10 * format.channels
      case .samples(let samples):
        let dropped = min(state.pop, samples.count)
        state.pop -= dropped
        state.counters.meter.add(UnsafeBufferPointer(rebasing: samples[dropped...]))
      case .lost: state.counters.overruns += 1
      case .ended(let error): state.failure = error
      }
    }
  }
}
