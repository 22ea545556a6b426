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
    if let device = description.id.device { row["device"] = .string(device) }
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

  /// Each value as its backend gave it, and from where (sources V3), by key.
  func raw(_ samples: [Sample]) -> ValueDictionary {
    var rows = ValueDictionary()
    for (place, property) in source.properties.enumerated() {
      var row = source.explanation(ofPropertyAt: place)
      if samples.indices.contains(place) {
        row["sequence"] = .int(Int64(clamping: samples[place].sequence))
      }
      rows[property.key] = .dictionary(row)
    }
    return rows
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
