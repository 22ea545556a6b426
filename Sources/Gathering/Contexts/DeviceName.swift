import Values

/// The machine whose instances a context has, as ids name it behind `@` (sources N9).
package enum DeviceName: Sendable {
  /// The context's own: ids have no such part.
  case own
  /// Another one, as its `ip:` URI writes it: `HOST[:PORT]`.
  case host(String)
  /// One of many: a name of an instance ends in `@` and that of its machine, percent-encoded.
  case oneOfMany

  /// The id of an instance that a kind has listed; such names are never empty.
  func identifier(of instance: String, kind: String) -> SourceIdentifier {
    switch self {
    case .own: return SourceIdentifier(checkedKind: kind, instance: instance, device: nil)
    case .host(let host):
      return SourceIdentifier(checkedKind: kind, instance: instance, device: host)
    case .oneOfMany:
      guard let (own, device) = Self.parts(of: instance) else {
        return SourceIdentifier(checkedKind: kind, instance: instance, device: nil)
      }
      return SourceIdentifier(checkedKind: kind, instance: own, device: device)
    }
  }

  /// The name by which an instance is listed that an id names; nil for a bare kind.
  func instance(of id: SourceIdentifier) -> String? {
    guard case .oneOfMany = self, let device = id.device, let own = id.instance else {
      return id.instance
    }
    return Self.name(of: own, on: device)
  }

  /// Why an id's device is none of the context; nil if it is one.
  func refusal(of device: String) -> String? {
    switch self {
    case .own: return "have no @ part"
    case .host(let text):
      let host = (try? ContextURI.parts(ofHost: text).0) ?? text
      return device == text || device == host ? nil : "are @\(text)"
    case .oneOfMany: return nil
    }
  }

  /// The name of an instance of one of many machines.
  package static func name(of instance: String, on device: String) -> String {
    "\(instance)@\(IdentifierGrammar.encoded(device))"
  }

  private static func parts(of name: String) -> (instance: String, device: String)? {
    guard let mark = name.utf8.lastIndex(of: UInt8(ascii: "@")),
      let device = IdentifierGrammar.decoded(name[name.utf8.index(after: mark)...])
    else { return nil }
    return (String(name[..<mark]), device)
  }
}
