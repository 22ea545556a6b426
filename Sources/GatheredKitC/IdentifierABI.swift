public import CGatheredKit
import Gathering
import Values

/// Takes an id apart.
@_cdecl("gkit_id_parse") @implementation public func gkit_id_parse(
  _ id: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let identifier = try Identifier(parsing: try bytes(id, "id"))
    try out.give(DictObject(.dictionary(identifier.parts)))
  }
}

/// Puts an id together.
@_cdecl("gkit_id_build") @implementation public func gkit_id_build(
  _ parts: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> gkit_status {
  entry {
    let given = try object(parts, as: DictObject.self, "parts")
    try checkRoom(for: given.extent.text, times: 8)
    let parts = given.value
    let out = try place(out)
    guard case .dictionary(let members) = parts else {
      throw Failure(Status.invalidArgument, "parts is a list")
    }
    out.pointee = try heapText(try Identifier(parts: members).description)
  }
}

extension Identifier {
  /// What an id is made of; what is absent has no member (C API R7).
  fileprivate var parts: ValueDictionary {
    var parts: ValueDictionary = ["kind": .string(source.kind)]
    parts["instance"] = source.instance.map(Value.string)
    parts["device"] = source.device.map(Value.string)
    if case .property(let property) = self {
      parts["path"] = .string(property.path)
      parts["components"] = .list(property.components.map(Value.string))
      parts["ancestors"] = .list(ancestors.map { .string($0.description) })
    }
    parts["canonical"] = .string(description)
    parts["source"] = .string(source.description)
    parts["parent"] = parent.map { .string($0.description) }
    return parts
  }

  /// The id of decoded parts.
  fileprivate init(parts: ValueDictionary) throws {
    guard let kind = try parts.text("kind") else {
      throw Failure(Status.invalidArgument, "an id needs a kind")
    }
    let instance = try parts.text("instance")
    let device = try parts.text("device")
    let components = try parts.texts("components")
    do throws(ParseError) {
      let source = try SourceIdentifier(kind: kind, instance: instance, device: device)
      guard let key = components.first else {
        self = .source(source)
        return
      }
      self = .property(
        try PropertyIdentifier(
          source: source, key: key, components: Array(components.dropFirst())))
    } catch {
      throw Failure(Status.invalidArgument, error.description)
    }
  }
}

extension ValueDictionary {
  /// A part that is text; nil when it is absent or none.
  fileprivate func text(_ name: String) throws -> String? {
    switch self[name] {
    case nil, .some(.none): nil
    case .string(let text): text
    default: throw Failure(Status.type, "\(name) is not a text")
    }
  }

  /// A part that is a list of texts; empty when it is absent or none.
  fileprivate func texts(_ name: String) throws -> [String] {
    switch self[name] {
    case nil, .some(.none): return []
    case .list(let items):
      return try items.map { item in
        guard let text = item.text else {
          throw Failure(Status.type, "\(name) holds something that is not a text")
        }
        return text
      }
    default: throw Failure(Status.type, "\(name) is not a list")
    }
  }
}
