import Gathering

/// The properties of a kind: one case each, in the order of its table in the catalogue.
///
/// A case is named as its key, in camel case. `rawValue` is the index in the table.
protocol PropertyField: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  var property: Property { get }
  /// What it means, and where Linux keeps it.
  var meaning: Meaning { get }
}

extension PropertyField {
  /// The table, made anew by each call: a kind keeps it as its `table`.
  static var properties: [Property] { allCases.map(\.property) }
}

extension [Property] {
  /// The row of a field in its kind's table, or in an instance's variant of it.
  subscript(_ field: some PropertyField) -> Property {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }
}

extension Dictionary where Key == Int {
  /// The stored value of a field, by the index of its property.
  subscript(_ field: some PropertyField) -> Value? {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }
}
