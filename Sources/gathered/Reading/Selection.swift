import Gathering
import Values

/// The target of an id on the command line: a source, one of its properties, or one component.
struct Selection {
  /// The session on the source.
  let source: Source
  /// The property key and, for a component of a vector, its name; nil: all properties.
  let path: [String]?
  /// The id as it was written.
  let text: String

  /// Opens the source an id names; the property must exist.
  init(_ text: String, in context: Context) throws {
    let id = try TypedIdentifier.parse(text, in: context)
    self.text = text
    source = try context.open(id.source)
    switch id {
    case .source: path = nil
    case .property(let property):
      path = property.components
      try checkPath(property)
    }
  }

  /// A whole source.
  init(_ id: SourceIdentifier, in context: Context) throws(SourceError) {
    text = id.description
    source = try context.open(id)
    path = nil
  }

  /// The selected values in the samples of the source; none for samples from before it was bound to
  /// its instance, which may have other properties.
  func fields(of samples: [Sample]) -> [Field] {
    let properties = source.properties
    guard properties.count == samples.count else { return [] }
    let all = zip(properties, samples)
    guard let path, let key = path.first else {
      return all.map { Field(key: $0.key, property: $0, sample: $1) }
    }
    return all.filter { $0.0.key == key }.map { property, sample in
      var field = Field(key: path.joined(separator: "/"), property: property, sample: sample)
      if path.count > 1 { field.narrow(to: path[1]) }
      return field
    }
  }

  private func checkPath(_ id: PropertyIdentifier) throws {
    guard let property = source.properties.first(where: { $0.key == id.key }) else {
      let sentence = Nearest.sentence(
        to: id.key, among: source.properties.map(\.key), what: "property")
      throw CommandFailure("\(source.kind.kind) has \(sentence)")
    }
    guard id.components.count > 1 else { return }
    let names: [String] = if case .vector(let names) = property.type { names } else { [] }
    guard id.components.count == 2, names.contains(id.components[1]) else {
      let path = id.components.dropFirst().joined(separator: "/")
      let sentence =
        names.isEmpty
        ? "no component \"\(path)\"; it has no components"
        : Nearest.sentence(to: path, among: names, what: "component")
      throw CommandFailure("\(source.kind.kind)/\(id.key) has \(sentence)")
    }
  }
}

/// One selected value with its description.
struct Field {
  /// The property key, for a component with its name.
  let key: String
  let property: Property
  private(set) var sample: Sample

  init(key: String, property: Property, sample: Sample) {
    self.key = key
    self.property = property
    self.sample = sample
  }

  /// Whether there is a payload to show, old or new.
  var hasPayload: Bool { sample.status == .ok || sample.status == .stale }

  /// Whether the other has the same value, or lacks one for the same reason.
  func isAlike(_ other: Field) -> Bool {
    sample.status == other.sample.status && sample.value == other.sample.value
      && sample.absence == other.sample.absence
  }

  /// Keeps one component of a vector.
  mutating func narrow(to component: String) {
    guard case .vector(let names) = property.type, let index = names.firstIndex(of: component),
      case .vector(let vector) = sample.value, let number = vector[index]
    else { return }
    sample.value = .double(number)
  }

  /// Why it is not ok, with the remedy: `permission: withheld; open the context with allow=mac`.
  var explanation: String {
    guard sample.status != .ok else { return "" }
    let parts = [sample.absence?.reason ?? "", sample.absence?.remedy ?? ""].filter { !$0.isEmpty }
    return parts.isEmpty
      ? sample.status.word : "\(sample.status.word): \(parts.joined(separator: "; "))"
  }
}
