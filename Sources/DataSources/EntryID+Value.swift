package import Values

extension EntryID {
  /// The id that a value is (data sources L9); the empty one, which no store takes, of what cannot
  /// be an id.
  package init(value: Value) {
    switch value {
    case .string(let text): self.init(text)
    case .int(let number): self.init(number)
    case .none: self.init("")
    default: self = (try? EntryID(KeyTree(value))) ?? EntryID("")
    }
  }
}

extension KeyTree {
  fileprivate init(_ value: Value) throws {
    switch value {
    case .none: self = .word("null")
    case .bool(let flag): self = .word(flag ? "true" : "false")
    case .int(let number): self = .number(number)
    case .double(let number): self = try .number(number)
    case .string(let text): self = .text(text)
    case .bytes, .time: self = .word(try value.json())
    case .vector(let vector):
      let parts = [vector.x, vector.y, vector.z, vector.w].compactMap { $0 }
      self = .members([("vector", .list(try parts.map { try KeyTree.number($0) }))])
    case .list(let items): self = .list(try items.map { try KeyTree($0) })
    case .dictionary(let members):
      self = .members(try members.map { ($0.key, try KeyTree($0.value)) })
    }
  }
}
