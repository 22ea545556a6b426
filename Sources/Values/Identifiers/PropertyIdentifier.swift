/// The name of a property, or of something within one: a source id and a path from a key.
///
/// Paths of any depth are fine; whether they resolve is another question (sources N3).
public struct PropertyIdentifier: Sendable {
  /// The source the property belongs to.
  public let source: SourceIdentifier

  /// The key and what follows it, decoded; never empty.
  public let components: [String]

  /// An id of decoded parts.
  ///
  /// Fails when the key is not in the grammar or a component is empty or holds NUL; the offset
  /// counts within the part.
  public init(
    source: SourceIdentifier, key: String, components: [String] = []
  ) throws(ParseError) {
    var grammar = IdentifierGrammar(Array(key.utf8))
    _ = try grammar.wholeKey()
    for component in components { try SourceIdentifier.check(component, is: "component") }
    self.init(checkedSource: source, checkedComponents: [key] + components)
  }

  /// Reads an id from UTF-8 bytes; malformed text is an error with its place (sources N2).
  public init(parsing bytes: some Sequence<UInt8>) throws(ParseError) {
    var grammar = IdentifierGrammar(Array(bytes))
    self = try grammar.property()
  }

  /// Reads an id from text; malformed text is an error with its place (sources N2).
  public init(parsing text: some StringProtocol) throws(ParseError) {
    try self.init(parsing: text.utf8)
  }

  init(checkedSource source: SourceIdentifier, checkedComponents components: [String]) {
    self.source = source
    self.components = components
  }

  /// The property's key: the first component.
  public var key: String { components.first ?? "" }

  /// The canonical text of the path, such as `acceleration/x`.
  public var path: String {
    components.map(IdentifierGrammar.encoded).joined(separator: "/")
  }

  /// The id without its last component: a property id, or of a first key the source id.
  public var parent: Identifier {
    guard components.count > 1 else { return .source(source) }
    return .property(
      PropertyIdentifier(
        checkedSource: source, checkedComponents: Array(components.dropLast())))
  }

  /// Everything above this id, from the source id down to the parent.
  public var ancestors: [Identifier] {
    let properties = (1..<Swift.max(components.count, 1)).map { depth in
      Identifier.property(
        PropertyIdentifier(
          checkedSource: source, checkedComponents: Array(components.prefix(depth))))
    }
    return [.source(source)] + properties
  }
}

extension PropertyIdentifier: Hashable {
  /// Whether the sources are equal and all components are the same bytes.
  public static func == (left: PropertyIdentifier, right: PropertyIdentifier) -> Bool {
    left.source == right.source
      && left.components.elementsEqual(right.components) { ExactText($0) == ExactText($1) }
  }

  /// Feeds the decoded parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(components)
  }
}

extension PropertyIdentifier: CustomStringConvertible {
  /// The canonical text, such as `accelerometer|bmi160/acceleration/x`.
  public var description: String { "\(source)/\(path)" }
}
