public import DataSources

extension EntryID {
  /// The id of any value that can be encoded, by its canonical JSON (data sources L9).
  ///
  /// A text or a whole number gives the same id as without encoding. Throws `illegalArgument` for
  /// NaN, infinities and the empty text, and for a value that does not encode itself.
  public init(structured value: some Encodable) throws(DataSourceError) {
    do {
      try self.init(KeyNode.tree(of: value))
    } catch let error as DataSourceError {
      throw error
    } catch {
      let cause = DataSourceError(error)
      throw DataSourceError(.illegalArgument, "the id cannot be encoded", causes: [cause])
    }
  }
}

/// One place in the tree of an id while a value encodes itself into it.
private final class KeyNode {
  private enum Shape {
    case empty
    case leaf(KeyTree)
    case list([KeyNode])
    case members([(String, KeyNode)])
  }

  private var shape = Shape.empty

  static func tree(of value: some Encodable) throws -> KeyTree {
    switch value {
    case let text as String: return .text(text)
    case let flag as Bool: return .word(flag ? "true" : "false")
    case let number as any BinaryInteger: return .number(number)
    case let number as Double: return try .number(number)
    // A Float has fewer digits than the Double of the same value.
    case let number as Float:
      return number.isFinite && number != 0
        ? .shortened(number.description) : try .number(Double(number))
    default:
      let node = KeyNode()
      try value.encode(to: KeyEncoder(node: node))
      return try node.tree()
    }
  }

  func hold(_ leaf: KeyTree) { shape = .leaf(leaf) }

  func beList() { if case .list = shape {} else { shape = .list([]) } }

  func beMembers() { if case .members = shape {} else { shape = .members([]) } }

  var count: Int { if case .list(let items) = shape { items.count } else { 0 } }

  func append() -> KeyNode {
    let node = KeyNode()
    if case .list(let items) = shape { shape = .list(items + [node]) }
    return node
  }

  func member(_ name: String) -> KeyNode {
    let node = KeyNode()
    if case .members(let members) = shape { shape = .members(members + [(name, node)]) }
    return node
  }

  private func tree() throws(DataSourceError) -> KeyTree {
    switch shape {
    case .empty: throw DataSourceError(.illegalArgument, "an id must not be empty")
    case .leaf(let leaf): return leaf
    case .list(let items):
      var trees: [KeyTree] = []
      for item in items { trees.append(try item.tree()) }
      return .list(trees)
    case .members(let members):
      var trees: [(String, KeyTree)] = []
      for (name, node) in members { trees.append((name, try node.tree())) }
      return .members(trees)
    }
  }
}

private struct KeyEncoder: Encoder {
  let node: KeyNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beMembers()
    return KeyedEncodingContainer(KeyMembers(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beList()
    return KeyItems(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { KeyLeaf(node: node) }
}

private struct KeyMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: KeyNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { node.member(key.stringValue).hold(.word("null")) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    node.member(key.stringValue).hold(try KeyNode.tree(of: value))
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key.stringValue).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key.stringValue).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { encoder("super") }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key.stringValue) }

  private func encoder(_ name: String) -> KeyEncoder { KeyEncoder(node: node.member(name)) }
}

private struct KeyItems: UnkeyedEncodingContainer {
  let node: KeyNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  func encodeNil() { node.append().hold(.word("null")) }
  func encode(_ value: some Encodable) throws {
    node.append().hold(try KeyNode.tree(of: value))
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { KeyEncoder(node: node.append()).container(keyedBy: type) }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    KeyEncoder(node: node.append()).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { KeyEncoder(node: node.append()) }
}

private struct KeyLeaf: SingleValueEncodingContainer {
  let node: KeyNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { node.hold(.word("null")) }
  func encode(_ value: some Encodable) throws { node.hold(try KeyNode.tree(of: value)) }
}
