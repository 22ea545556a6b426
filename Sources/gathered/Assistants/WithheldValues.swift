import Gathering
import Values

/// The personal values that an answer does not show, under the categories that would show them.
struct WithheldValues {
  private let allowance: Allowance
  private var names: [PrivacyCategory: [String]] = [:]
  /// How many values of a category are named.
  private static let limit = 20

  init(_ allowance: Allowance) { self.allowance = allowance }

  /// Notes a value, unless its category is allowed.
  mutating func note(_ name: String, _ category: PrivacyCategory?) {
    guard let category, !allowance.permits(category) else { return }
    if names[category]?.contains(name) != true { names[category, default: []].append(name) }
  }

  /// Notes what sources of a kind do not show.
  mutating func note(_ kind: any SourceKind) {
    note(kind.kind, kind.category)
    for property in kind.properties { note("\(kind.kind)/\(property.key)", property.category) }
  }

  /// Notes the values that a reading of a source withheld.
  mutating func note(_ fields: [Field], of id: String, _ kind: any SourceKind) {
    for field in fields where field.sample.status == .permission {
      note("\(id)/\(field.key)", field.property.category ?? kind.category)
    }
  }

  /// `{category, values, others?, shown_by}` for each category.
  var rows: [Value] {
    PrivacyCategory.allCases.compactMap { category in
      guard let names = names[category] else { return nil }
      var row: ValueDictionary = [
        "category": .string(category.rawValue),
        "values": .list(names.prefix(Self.limit).map(Value.string)),
      ]
      let others = names.count - Self.limit
      if others > 0 { row["others"] = .int(Int64(others)) }
      row["shown_by"] = .string(
        "--allow \(category.rawValue), which only the person who starts gathered mcp can give")
      return .dictionary(row)
    }
  }
}
