/// The name of a source: a kind, perhaps an instance of it, perhaps the machine it lives on.
///
/// The parts are held decoded; `description` is the canonical text. Equality and hashing use the
/// decoded parts byte by byte, so equal ids print alike (sources N1).
public struct SourceIdentifier: Sendable {
  /// The kind, such as `battery`; a dot in it marks kinds that are not GatheredKit's.
  public let kind: String

  /// The instance, decoded, such as `BAT0`; nil means the kind's default instance.
  public let instance: String?

  /// The machine, decoded, as an `ip:` URI writes it; nil means the context's own.
  public let device: String?

  /// An id of decoded parts.
  ///
  /// Fails when the kind is not in the grammar, a part is empty or holds NUL, or there is a device
  /// without an instance; the offset counts within the part.
  public init(
    kind: String, instance: String? = nil, device: String? = nil
  ) throws(ParseError) {
    var grammar = IdentifierGrammar(Array(kind.utf8))
    _ = try grammar.wholeKind()
    if let instance { try Self.check(instance, is: "instance") }
    if let device {
      try Self.check(device, is: "device")
      if instance == nil {
        throw ParseError(byteOffset: 0, reason: "a device needs an instance")
      }
    }
    self.init(checkedKind: kind, instance: instance, device: device)
  }

  /// Reads an id from UTF-8 bytes; malformed text is an error with its place (sources N2).
  public init(parsing bytes: some Sequence<UInt8>) throws(ParseError) {
    var grammar = IdentifierGrammar(Array(bytes))
    self = try grammar.source()
  }

  /// Reads an id from text; malformed text is an error with its place (sources N2).
  public init(parsing text: some StringProtocol) throws(ParseError) {
    try self.init(parsing: text.utf8)
  }

  package init(checkedKind kind: String, instance: String?, device: String?) {
    self.kind = kind
    self.instance = instance
    self.device = device
  }

  static func check(_ part: String, is name: String) throws(ParseError) {
    if part.isEmpty { throw ParseError(byteOffset: 0, reason: "the \(name) is empty") }
    if let offset = part.utf8.enumerated().first(where: { $0.element == 0 })?.offset {
      throw ParseError(byteOffset: offset, reason: "NUL is not allowed")
    }
  }
}

extension SourceIdentifier: Hashable {
  /// Whether all decoded parts are the same bytes.
  public static func == (left: SourceIdentifier, right: SourceIdentifier) -> Bool {
    ExactText(left.kind) == ExactText(right.kind)
      && left.instance.map(ExactText.init) == right.instance.map(ExactText.init)
      && left.device.map(ExactText.init) == right.device.map(ExactText.init)
  }

  /// Feeds the decoded parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(instance)
    hasher.combine(device)
  }
}

extension SourceIdentifier: CustomStringConvertible {
  /// The canonical text, such as `battery|BAT0@pi.local`.
  public var description: String {
    var text = kind
    if let instance { text += "|" + IdentifierGrammar.encoded(instance) }
    if let device { text += "@" + IdentifierGrammar.encoded(device) }
    return text
  }
}
