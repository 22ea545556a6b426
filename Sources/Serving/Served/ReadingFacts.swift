import Gathering
import Values

/// One reading of one source in JSON (serve W23).
struct ReadingFacts {
  private let source: Source
  private let samples: [Sample]

  init(_ source: Source, _ samples: [Sample]) {
    self.source = source
    self.samples = source.properties.count == samples.count ? samples : []
  }

  /// `{"id", "time", "age_ns", "values", "status"}`, the status only of values that are not ok.
  func dictionary(at now: Int64) -> ValueDictionary {
    var values = ValueDictionary()
    var notes = ValueDictionary()
    for (property, sample) in zip(source.properties, samples) {
      values[property.key] = sample.status.hasPayload ? sample.value : Value.none
      if sample.status != .ok { notes[property.key] = .list(Self.note(on: sample)) }
    }
    let newest = samples.map(\.realtime).max() ?? 0
    return [
      "id": .string(source.id.description), "time": JSONBody.moment(newest),
      "age_ns": .int(newest == 0 ? 0 : max(0, now - newest)), "values": .dictionary(values),
      "status": .dictionary(notes),
    ]
  }

  private static func note(on sample: Sample) -> [Value] {
    [
      .string(sample.status.word), .string(sample.absence?.reason ?? ""),
      .string(sample.absence?.remedy ?? ""),
    ]
  }
}
