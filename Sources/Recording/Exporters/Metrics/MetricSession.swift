import Gathering
import Ground
import Values

/// The session of a scraper on one source.
final class MetricSession: Sendable {
  /// What does not change.
  private struct Lasting {
    /// Whether it is known; what could not be read is asked for again.
    var isKnown = false
    var properties: [Property] = []
    /// The places of such properties.
    var places: [Int] = []
  }

  let source: Source
  private let reading = RepeatedWork(named: "gkit-scrape")
  private let lasting = Monitor(Lasting())
  private let named = Monitor<MetricNames?>(nil)
  /// Values that need no reading; nil where this one has to read.
  private let spared = Monitor<[Sample]?>(nil)

  init(of id: SourceIdentifier, in context: Context) throws(SourceError) {
    source = try context.open(id)
  }

  /// Takes over values that another session has read a moment ago, or those of a kind that has no
  /// instance, which are none; whether no reading is needed.
  func isSpared() -> Bool {
    let values = source.id.instance == nil ? [] : source.valuesInStep
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
    if lasting.withLock({ $0.isKnown }) {
      try? source.updateChangingValues(within: rest)
    } else {
      try? source.updateValuesInPlace(within: rest)
    }
  }

  /// What is known by a moment, for which it waits where a reading is under way.
  func found(by deadline: Int64) -> MetricSource? {
    if let values = spared.withLock({ $0 }) { return described(values) }
    guard reading.isDone(by: deadline) else { return nil }
    let samples = source.allValues
    noteLasting(samples)
    return described(samples)
  }

  /// The source with its values, which are none where it was not read.
  func described(_ samples: [Sample]) -> MetricSource {
    // What is let go of, this holds until no lock is.
    let former = named.withLock { $0 }
    let described = MetricSource(source, samples: samples, named: former)
    named.withLock { $0 = described.names }
    return described
  }

  private func noteLasting(_ samples: [Sample]) {
    // What is let go of, this holds until no lock is.
    let former = lasting.withLock { $0 }
    var new = former
    let properties = source.properties
    if former.properties != properties {
      new.properties = properties
      new.places = properties.indices.filter { properties[$0].mode == .static }
    }
    new.isKnown = !new.places.contains { place in
      guard samples.indices.contains(place) else { return true }
      let status = samples[place].status
      return status == .failed || status == .permission && properties[place].category == nil
    }
    lasting.withLock { $0 = new }
  }
}
