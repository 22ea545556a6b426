import Gathering
import Values

/// A source in JSON: what `gathered list --json` tells of it, and more.
struct SourceFacts {
  let source: Source
  let description: SourceDescription

  /// The facts of a source that is served.
  init(_ id: SourceIdentifier, in served: ServedContext, session: Source? = nil) throws {
    source = try session ?? served.sessions.session(of: id)
    let id = source.id
    description =
      try served.context.sources(of: id.kind).first { $0.id == id }
      ?? SourceDescription(
        id: id, name: source.name, label: source.label, availability: source.availability)
  }

  /// The members of a list's row.
  static func row(_ description: SourceDescription, isUpdating: Bool) -> ValueDictionary {
    var row = description.dictionary()
    row["updating"] = .bool(isUpdating)
    return row
  }

  /// Everything but the values.
  func dictionary(isUpdating: Bool) -> ValueDictionary {
    var facts = Self.row(description, isUpdating: isUpdating)
    let kind = source.kind
    facts["backend"] = .string(description.availability.backend)
    facts["meaning"] = .string(kind.meaning.text)
    facts["origin"] = .string(kind.meaning.origin)
    facts["rates"] = .dictionary([
      "default_ns": .int(DefaultIntervals.interval(of: kind)),
      "min_ns": .int(source.minimumInterval), "event_driven": .bool(kind.intervals.isEventDriven),
    ])
    facts["metadata"] = .dictionary(source.metadata)
    facts["properties"] = .list(properties.map(Value.dictionary))
    return facts
  }

  /// The properties as the catalogue describes them, with what this instance adds.
  private var properties: [ValueDictionary] {
    let kind = source.kind
    return source.properties.map { property in
      let place = kind.properties.firstIndex { $0.key == property.key }
      var row = property.dictionary(place.map(kind.meaning(ofPropertyAt:)) ?? Meaning("", from: ""))
      if row["unit"] == nil { row["unit"] = Value.none }
      return row
    }
  }
}

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
