package import Values

/// Ids as people type them: the instance may stand as it is called, `storage|/home`, and need not
/// be encoded.
package enum TypedIdentifier {
  /// The id of a text; one that is no id may name one of the sources as they are called.
  ///
  /// Throws `invalidArgument` for a text that is neither.
  package static func parse(
    _ text: String, among sources: (_ kind: String) throws -> [SourceIdentifier]
  ) throws -> Identifier {
    let id: Identifier
    do {
      id = try Identifier(parsing: text)
    } catch {
      if let found = try find(text, among: sources) { return found }
      throw SourceError.invalidArgument("\"\(text)\": \(error.description)")
    }
    // A name with a slash looks like a property of another name.
    guard case .property(let property) = id, property.source.instance != nil,
      try !sources(property.source.kind).contains(property.source)
    else { return id }
    return try find(text, among: sources) ?? id
  }

  /// The id of a text in a context.
  package static func parse(_ text: String, in context: Context) throws -> Identifier {
    try parse(text) { kind in
      // An unknown kind has no sources; opening it tells that.
      guard context.catalogue.contains(where: { $0.kind == kind }) else { return [] }
      return try context.sources(of: kind).map(\.id)
    }
  }

  /// The source whose name is the longest that the text begins with, or something below it.
  private static func find(
    _ text: String, among sources: (_ kind: String) throws -> [SourceIdentifier]
  ) throws -> Identifier? {
    guard let bar = text.firstIndex(of: "|") else { return nil }
    let typed = text[text.index(after: bar)...]
    let names = try sources(String(text[..<bar])).compactMap { id -> (SourceIdentifier, String)? in
      guard let instance = id.instance else { return nil }
      return (id, instance + (id.device.map { "@\($0)" } ?? ""))
    }
    let fitting = names.filter { typed == $0.1 || typed.hasPrefix($0.1 + "/") }
    guard let (id, name) = fitting.max(by: { $0.1.count < $1.1.count }) else { return nil }
    return try? Identifier(parsing: id.description + typed.dropFirst(name.count))
  }
}
