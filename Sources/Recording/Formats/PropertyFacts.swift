package import Gathering
package import Values

/// A property as the JSON of a recording has it.
extension Property {
  private static let modes = ["continuous", "onChange", "oneShot", "static"]
  private static let flagWords = ["writable", "config", "personal", "counter", "derived"]

  package var dictionary: ValueDictionary {
    var facts: ValueDictionary = [
      "key": .string(key), "name": .string(name), "type": .string(type.word),
      "mode": .string(Self.modes[Int(mode.rawValue)]),
    ]
    facts["unit"] = unit.map(Value.string)
    let words = Self.flagWords.indices.filter { flags.rawValue >> UInt32($0) & 1 == 1 }
    if !words.isEmpty { facts["flags"] = .list(words.map { .string(Self.flagWords[$0]) }) }
    facts["category"] = category.map { .string($0.rawValue) }
    // JSON has no infinities.
    if let range, range.lowerBound.isFinite, range.upperBound.isFinite {
      facts["range"] = .list([.double(range.lowerBound), .double(range.upperBound)])
    }
    if let resolution, resolution.isFinite { facts["resolution"] = .double(resolution) }
    switch type {
    case .vector(let components): facts["components"] = .list(components.map(Value.string))
    case .enumeration(let words): facts["words"] = .list(words.map(Value.string))
    default: break
    }
    return facts
  }

  /// A property from its description in a recording; nil if that is incomplete.
  package init?(_ facts: ValueDictionary) {
    guard let key = facts["key"]?.text, let type = PropertyType(facts) else { return nil }
    let mode = facts["mode"]?.text.flatMap { Self.modes.firstIndex(of: $0) } ?? 0
    let words = facts["flags"]?.texts ?? []
    let mask = Self.flagWords.indices.reduce(UInt32(0)) {
      words.contains(Self.flagWords[$1]) ? $0 | 1 << UInt32($1) : $0
    }
    var range: ClosedRange<Double>?
    if case .list(let ends)? = facts["range"], ends.count == 2, let least = ends[0].number,
      let most = ends[1].number, least <= most
    {
      range = least...most
    }
    self.init(
      key, type, unit: facts["unit"]?.text, ReportingMode(rawValue: Int32(mode)) ?? .continuous,
      PropertyFlags(rawValue: mask),
      category: facts["category"]?.text.flatMap(PrivacyCategory.init), range: range,
      resolution: facts["resolution"]?.number, name: facts["name"]?.text)
  }
}

extension PropertyType {
  fileprivate var word: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .vector: "vector"
    case .string: "string"
    case .bytes: "bytes"
    case .time: "time"
    case .enumeration: "enum"
    }
  }

  fileprivate init?(_ facts: ValueDictionary) {
    switch facts["type"]?.text {
    case "bool": self = .bool
    case "int": self = .int
    case "double": self = .double
    case "vector": self = .vector(components: facts["components"]?.texts ?? [])
    case "string": self = .string
    case "bytes": self = .bytes
    case "time": self = .time
    case "enum": self = .enumeration(facts["words"]?.texts ?? [])
    default: return nil
    }
  }
}

extension Value {
  /// The texts of a list.
  fileprivate var texts: [String] {
    if case .list(let items) = self { items.compactMap(\.text) } else { [] }
  }
}
