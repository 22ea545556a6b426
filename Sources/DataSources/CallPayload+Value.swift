package import Values

/// Payloads as one value each: null is NONE, several values are a list.
extension CallPayload<Values.Value> {
  /// All of it as one value.
  package var value: Values.Value {
    switch self {
    case .none: .none
    case .object(let value): value
    case .list(let values): .list(values)
    }
  }

  /// A value as it is; NONE stands for null.
  package init(_ value: Values.Value) { self = value == Values.Value.none ? .none : .object(value) }

  /// What a value brings to a verb: nothing to those that store nothing.
  package init(_ value: Values.Value, by verb: Verb) {
    switch (verb, value) {
    case (.get, _), (.getAll, _), (.delete, _): self = .none
    case (.putAll, .list(let values)): self = .list(values)
    default: self.init(value)
    }
  }

  /// The payload of a reply to a verb, from one value.
  ///
  /// Throws `serialization` where the reply has to be a list and is none.
  package init(answering verb: Verb, _ value: Values.Value) throws(DataSourceError) {
    switch (verb, value) {
    case (.delete, _): self = .none
    case (.getAll, .list(let values)), (.putAll, .list(let values)): self = .list(values)
    case (.getAll, _), (.putAll, _):
      throw DataSourceError(.serialization, "the answer is not a list")
    default: self.init(value)
    }
  }
}
