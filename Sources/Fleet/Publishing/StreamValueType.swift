import Gathering
import Values

/// What the values of a stream are, as far as they have shown it.
enum StreamValueType: Equatable {
  case unknown
  case known(PropertyType)
  /// They are of several types.
  case mixed

  /// The one property of the stream; none where its type is not known.
  var properties: [Property] {
    guard case .known(let type) = self else { return [] }
    return [Property("value", type, .continuous)]
  }

  /// A value has come; a whole number may stand for any number.
  mutating func note(_ value: Value) {
    guard let type = PropertyType(of: value) else { return }
    switch (self, type) {
    case (.unknown, _), (.known(.int), .double): self = .known(type)
    case (.known(.double), .int): break
    case (.known(let known), _) where known == type: break
    case (.known, _), (.mixed, _): self = .mixed
    }
  }
}

extension PropertyType {
  /// The type of a payload; nil for none, and for what no property is.
  fileprivate init?(of value: Value) {
    switch value {
    case .bool: self = .bool
    case .int: self = .int
    case .double: self = .double
    case .string: self = .string
    case .bytes: self = .bytes
    case .time: self = .time
    case .vector(let vector):
      self = .vector(components: Array(["x", "y", "z", "w"].prefix(vector.count)))
    default: return nil
    }
  }
}
