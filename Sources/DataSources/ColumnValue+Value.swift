package import Values

extension Value {
  /// What a column holds.
  package init(_ column: ColumnValue) {
    switch column {
    case .null: self = .none
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .bytes(let bytes): self = .bytes(bytes)
    case .time(let moment): self = .time(moment)
    }
  }
}

extension ColumnValue {
  /// A value as a column holds it; nil for what no column can.
  package init?(_ value: Value) {
    switch value {
    case .none: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .bytes(let bytes): self = .bytes(bytes)
    case .time(let moment): self = .time(moment)
    case .vector, .dictionary, .list: return nil
    }
  }
}
