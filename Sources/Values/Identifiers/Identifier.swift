/// The name of a source or of a property.
public enum Identifier: Sendable, Hashable {
  /// The name of a source.
  case source(SourceIdentifier)
  /// The name of a property or of something within one.
  case property(PropertyIdentifier)

  /// Reads either from UTF-8 bytes; malformed text is an error with its place (sources N2).
  public init(parsing bytes: some Sequence<UInt8>) throws(ParseError) {
    var grammar = IdentifierGrammar(Array(bytes))
    self = try grammar.identifier()
  }

  /// Reads either from text; malformed text is an error with its place (sources N2).
  public init(parsing text: some StringProtocol) throws(ParseError) {
    try self.init(parsing: text.utf8)
  }

  /// The source named, or the one the property belongs to.
  public var source: SourceIdentifier {
    switch self {
    case .source(let source): source
    case .property(let property): property.source
    }
  }

  /// The id above this one; a source has none.
  public var parent: Identifier? {
    switch self {
    case .source: nil
    case .property(let property): property.parent
    }
  }

  /// Everything above this id, from the source id down to the parent; none for a source.
  public var ancestors: [Identifier] {
    switch self {
    case .source: []
    case .property(let property): property.ancestors
    }
  }
}

extension Identifier: CustomStringConvertible {
  /// The canonical text.
  public var description: String {
    switch self {
    case .source(let source): source.description
    case .property(let property): property.description
    }
  }
}
