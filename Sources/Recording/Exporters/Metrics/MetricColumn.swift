import Gathering
import Values

/// How the values of one property become metrics (serve W27, W28).
struct MetricColumn: Sendable {
  /// What they are.
  enum Form: Sendable {
    case flag
    case number(divisor: Double)
    case moment
    /// One of some words: a metric for each; `other` is also one that came later.
    case states([String])
    /// A number for each axis.
    case axes([String], divisor: Double)
    /// A label of what does not change.
    case label
  }

  /// The place of its family in the page; that of all texts of the kind for a label.
  let family: Int
  let form: Form
  /// The name of the label that tells states apart, or that the text is.
  let label: String

  /// A column; labels that every metric may have keep their names to themselves.
  init(_ property: Property, of kind: String, _ form: Form, in family: Int, named name: String) {
    self.family = family
    self.form = form
    let isTaken = ["source", "device", "axis", "kind", "reason"].contains(property.key)
    label =
      switch form {
      case .label: isTaken ? "\(kind)_\(property.key)" : property.key
      default: name
      }
  }
}

extension MetricFamily {
  /// The family of a property's values, and their form; nil for what is left out: texts that
  /// change, bytes, and vectors of no unit except attitude.
  static func of(
    _ property: Property, kind: String, kindName: String
  ) -> (family: MetricFamily, form: MetricColumn.Form)? {
    if property.type == .string, property.mode == .static {
      let help = "\(kindName): what does not change"
      return (MetricFamily(name: "gathered_\(kind)", kind: .info, help: help, unit: ""), .label)
    }
    let unit = MetricUnit(of: property)
    let form: MetricColumn.Form
    var (type, suffix) = (Kind.gauge, unit.name)
    switch property.type {
    case .bool: form = .flag
    case .int, .double:
      form = .number(divisor: unit.divisor)
      if property.flags.contains(.counter) { type = .counter }
    case .time: (form, suffix) = (.moment, "timestamp_seconds")
    case .enumeration(let words):
      (form, type) = (.states(words.contains("other") ? words : words + ["other"]), .stateSet)
    case .vector(let axes):
      if property.unit == "1" && property.key != "attitude" { return nil }
      form = .axes(axes, divisor: unit.divisor)
    case .string, .bytes: return nil
    }
    let name = "gathered_\(kind)_\(Self.name(of: property, in: suffix))"
    let isNameless = suffix.isEmpty && (property.unit ?? "1") != "1"
    let help = "\(kindName): \(property.name)" + (isNameless ? ", in \(property.unit ?? "")" : "")
    return (MetricFamily(name: name, kind: type, help: help, unit: suffix), form)
  }

  /// A key with its unit behind it, unless it ends with that. The words that end the samples of
  /// counters and histograms end no other: `inodes_total` is `inodes`, `cycle_count` a number.
  private static func name(of property: Property, in unit: String) -> String {
    let key = property.key
    if !unit.isEmpty { return key == unit || key.hasSuffix("_" + unit) ? key : "\(key)_\(unit)" }
    if property.flags.contains(.counter) { return key }
    if key.hasSuffix("_total") { return String(key.dropLast(6)) }
    return key.hasSuffix("_count") ? key.dropLast(5) + "number" : key
  }
}
