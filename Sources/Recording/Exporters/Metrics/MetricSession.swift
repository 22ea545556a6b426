import Gathering
import Ground
import Values

/// The session of a scraper on one source.
final class MetricSession: Sendable {
  let source: Source
  private let reading = RepeatedWork(named: "gkit-scrape")
  /// Values of another session that are new enough; nil where this one has to read.
  /// Whether what does not change is known; what could not be read is asked for again.
  private let hasLasting = Monitor(false)
  private let spared = Monitor<[Sample]?>(nil)

  init(of id: SourceIdentifier, in context: Context) throws(SourceError) {
    source = try context.open(id)
  }

  /// Takes over values that another session has read a moment ago; whether there are any.
  func isSpared() -> Bool {
    let values = source.valuesInStep
    spared.withLock { $0 = values }
    return values != nil
  }

  /// Whether a reading may take long.
  var isSlow: Bool { reading.isSlow }

  /// Begins a reading on a thread of its own, unless the last one has not ended: where it was only
  /// late here it goes on where the source is read, and another would wait behind it.
  func begin(until deadline: Int64) {
    if reading.isLate && source.isBeingRead { return }
    reading.begin(until: deadline) { [self] in readNow(until: deadline) }
  }

  /// Reads on the calling thread.
  func read(until deadline: Int64) {
    reading.perform(until: deadline) { readNow(until: deadline) }
  }

  private func readNow(until deadline: Int64) {
    let rest = deadline - Monitor<Void>.moment(after: 0)
    if rest <= 0 { return }
    // The values of what cannot be read say why.
    if hasLasting.withLock({ $0 }) {
      try? source.updateChangingValues(within: rest)
    } else {
      try? source.updateValuesInPlace(within: rest)
    }
  }

  /// What is known by a moment, for which it waits where a reading is under way.
  func found(by deadline: Int64) -> MetricSource? {
    if let values = spared.withLock({ $0 }) { return MetricSource(source, samples: values) }
    guard reading.isDone(by: deadline) else { return nil }
    let samples = source.allValues
    let lacksSome = zip(source.properties, samples).contains { property, sample in
      let isRefused = sample.status == .permission && property.category == nil
      return property.mode == .static && (isRefused || sample.status == .failed)
    }
    hasLasting.withLock { $0 = !lacksSome }
    return MetricSource(source, samples: samples)
  }
}
