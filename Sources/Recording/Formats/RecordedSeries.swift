public import Gathering
public import Values

/// The description of one series of a recording: a source with its properties, or a stream of
/// single values.
public struct RecordedSeries: Equatable, Sendable {
  /// The origin of a series.
  public enum Origin: Hashable, Sendable {
    /// A source, by its full id.
    case source(SourceIdentifier)
    /// A stream, by the name it was added under.
    case stream(String)
  }

  /// Its number, unique in the recording.
  public var number: UInt32
  /// Its origin.
  public var origin: Origin
  /// The kind's name, for people; empty for a stream.
  public var kindName = ""
  /// The instance's label, for people; empty for a stream.
  public var label = ""
  /// Whether it is the aggregate of all instances of its kind.
  public var isAggregate = false
  /// Its availability when it was added.
  public var availability = Availability(.available)
  /// The property table, in the order of samples in a row; empty for a stream, whose rows have one
  /// sample.
  public var properties: [Property] = []

  /// How many samples a row has.
  public var width: Int { if case .stream = origin { 1 } else { properties.count } }

  /// The id of the source, or the name of the stream.
  public var name: String {
    switch origin {
    case .source(let id): id.description
    case .stream(let name): name
    }
  }

  package init(_ number: UInt32, _ origin: Origin) {
    self.number = number
    self.origin = origin
  }

  package init(_ number: UInt32, _ source: Source) {
    self.init(number, .source(source.id))
    kindName = source.name
    label = source.label
    isAggregate = source.id.instance == "aggregate"
    availability = source.availability
    properties = source.properties
  }
}

extension RecordedSeries {
  /// Whether rows of both belong together.
  package func isSame(as other: RecordedSeries) -> Bool {
    origin == other.origin && properties == other.properties
  }

  package var dictionary: ValueDictionary {
    var facts: ValueDictionary = ["series": .int(Int64(number))]
    switch origin {
    case .stream(let name): facts["stream"] = .string(name)
    case .source(let id):
      facts["source"] = .string(id.description)
      facts["kind"] = .string(id.kind)
      facts["kind_name"] = .string(kindName)
      facts["label"] = .string(label)
      facts["aggregate"] = .bool(isAggregate)
      facts["availability"] = .dictionary(availability.dictionary)
      facts["properties"] = .list(properties.map { .dictionary($0.dictionary) })
    }
    return facts
  }

  /// A series from its description in a block; nil if that is incomplete.
  package init?(_ facts: ValueDictionary) {
    guard let number = facts["series"]?.whole.flatMap({ UInt32(exactly: $0) }) else { return nil }
    if let name = facts["stream"]?.text {
      self.init(number, .stream(name))
      return
    }
    guard let text = facts["source"]?.text, let id = try? SourceIdentifier(parsing: text),
      case .list(let rows)? = facts["properties"]
    else { return nil }
    self.init(number, .source(id))
    kindName = facts["kind_name"]?.text ?? ""
    label = facts["label"]?.text ?? ""
    isAggregate = facts["aggregate"] == .bool(true)
    if case .dictionary(let members)? = facts["availability"] {
      availability = Availability(members)
    }
    for row in rows {
      guard case .dictionary(let members) = row, let property = Property(members) else {
        return nil
      }
      properties.append(property)
    }
  }
}

extension Value {
  /// The whole number it is.
  package var whole: Int64? { if case .int(let number) = self { number } else { nil } }
}

extension Availability {
  var dictionary: ValueDictionary {
    [
      "state": .string(state.rawValue), "backend": .string(backend), "detail": .string(detail),
      "errno": .int(Int64(errno)), "remedy": .string(remedy),
    ]
  }

  init(_ facts: ValueDictionary) {
    self.init(
      facts["state"]?.text.flatMap(State.init) ?? .failed, backend: facts["backend"]?.text ?? "",
      detail: facts["detail"]?.text ?? "",
      errno: Int32(truncatingIfNeeded: facts["errno"]?.whole ?? 0),
      remedy: facts["remedy"]?.text ?? "")
  }
}
