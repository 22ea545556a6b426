import Gathering

extension Reading {
  /// The outcome of a property named by the kind's own list of fields, in table order.
  subscript(_ field: some RawRepresentable<Int>) -> Outcome {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }
}
