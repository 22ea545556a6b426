import Gathering
import Recording
import Values

/// What Home Assistant is to make of the sources or streams of a kind (fleet F52 to F57): its
/// components, by their names `gathered_DEVICE_KIND_INSTANCE_KEY`.
final class EntityList {
  /// Those that are shown unless a person says otherwise, and the others.
  private(set) var shown = ValueDictionary()
  private(set) var hidden = ValueDictionary()
  private let facts: PublisherFacts
  private var names: EntityNames
  private var series: PublishedSeries?
  /// What is in front of the properties' names.
  private var label = ""
  private var state = ""
  private var isGone = false

  /// None so far; some names are taken.
  init(_ facts: PublisherFacts, but taken: ValueDictionary) {
    self.facts = facts
    names = EntityNames(but: taken)
  }

  /// Adds the entities of a source, with its label where its kind has several instances; of one
  /// that has gone only the names are kept.
  func add(_ series: PublishedSeries, isLabelled: Bool, isGone: Bool) {
    self.series = series
    self.isGone = isGone
    label = isLabelled ? series.facts.label + " " : ""
    state = facts.topic(series.subject(.state))
    let shown = series.properties.filter { facts.shows($0.category) }
    let keys = EntityTable.headline(of: series.kind, shown)
    var attributes = attributes(of: shown, but: keys)
    for key in keys {
      guard let property = shown.first(where: { $0.key == key }),
        var members = entity(of: property, isHeadline: true)
      else { continue }
      for (key, value) in attributes { members[key] = value }
      attributes = ValueDictionary()
      put(key, members, isHeadline: true)
    }
    if series.kind == "gps", shown.contains(where: { $0.key == "latitude" }) {
      put("position", position, isHeadline: true)
    }
    for property in shown where !keys.contains(property.key) {
      guard let members = entity(of: property, isHeadline: false) else { continue }
      put(property.key, members, isHeadline: false)
    }
  }

  private func put(_ key: String, _ members: ValueDictionary, isHeadline: Bool) {
    guard let series else { return }
    let name = names.name(["gathered", facts.device, series.kind, series.instance, key])
    if isGone { return }
    var members = members
    members["uniq_id"] = .string(name)
    if isHeadline {
      shown[name] = .dictionary(members)
    } else {
      hidden[name] = .dictionary(members)
    }
  }

  /// One of a property; nil for what is none, unless it is a text that is to be shown.
  private func entity(of property: Property, isHeadline: Bool) -> ValueDictionary? {
    let key = property.key
    var members = common("sensor", property.name)
    members["stat_t"] = .string(state)
    switch property.type {
    case .bool:
      let (deviceClass, isInverted) = EntityTable.state(of: key)
      members["p"] = .string("binary_sensor")
      members["val_tpl"] = .string(EntityTemplate.truth(key, isInverted: isInverted))
      if !deviceClass.isEmpty { members["dev_cla"] = .string(deviceClass) }
    case .int, .double: addNumber(property, to: &members)
    case .enumeration(let words):
      let all = words.contains("unknown") ? words : words + ["unknown"]
      members["dev_cla"] = .string("enum")
      members["ops"] = .list(all.map(Value.string))
      members["val_tpl"] = .string(EntityTemplate.word(key, of: words))
    case .time:
      members["dev_cla"] = .string("timestamp")
      members["val_tpl"] = .string(EntityTemplate.moment(key))
    case .string where isHeadline: members["val_tpl"] = .string(EntityTemplate.text(key))
    case .string, .vector, .bytes: return nil
    }
    if !isHeadline {
      members["en"] = .bool(false)
      if property.mode == .static { members["ent_cat"] = .string("diagnostic") }
    }
    return members
  }

  private func addNumber(_ property: Property, to members: inout ValueDictionary) {
    let quantity = EntityTable.quantity(of: property, kind: series?.kind ?? "")
    members["val_tpl"] = .string(EntityTemplate.number(property.key, factor: quantity.factor))
    if !quantity.unit.isEmpty { members["unit_of_meas"] = .string(quantity.unit) }
    if !quantity.deviceClass.isEmpty { members["dev_cla"] = .string(quantity.deviceClass) }
    let isCounter = property.flags.contains(.counter)
    members["stat_cla"] = .string(isCounter ? "total_increasing" : "measurement")
    if let digits = digits(of: property, quantity) { members["sug_dsp_prc"] = .int(digits) }
  }

  /// How many decimals are worth showing; nil where that is not known.
  private func digits(of property: Property, _ quantity: EntityTable.Quantity) -> Int64? {
    if property.type == .int, quantity.factor.isEmpty { return nil }
    guard let resolution = property.resolution, resolution > 0 else {
      return quantity.factor == "100" ? 1 : nil
    }
    var step = resolution * (Double(quantity.factor) ?? 1)
    var digits: Int64 = 0
    while step < 0.999, digits < 6 { (step, digits) = (step * 10, digits + 1) }
    return digits
  }

  /// Where the machine is.
  private var position: ValueDictionary {
    var members = common("device_tracker", "Position")
    members["src_type"] = .string("gps")
    members["json_attr_t"] = .string(state)
    members["json_attr_tpl"] = .string(EntityTemplate.position)
    return members
  }

  /// What all have: the platform, the name, and when they are there.
  private func common(_ platform: String, _ name: String) -> ValueDictionary {
    var members = ValueDictionary()
    var conditions = [condition(.online, EntityTemplate.online)]
    members["p"] = .string(platform)
    members["name"] = .string(label + name)
    if let series, series.isStream {
      members["name"] = .string(series.instance)
    } else if let series {
      conditions.append(condition(series.subject(.about), EntityTemplate.about))
    }
    members["avty"] = .list(conditions)
    members["avty_mode"] = .string("all")
    return members
  }

  private func condition(_ subject: FleetTopic.Subject, _ template: String) -> Value {
    .dictionary(["t": .string(facts.topic(subject)), "val_tpl": .string(template)])
  }

  /// What cannot be entities, as attributes of one.
  private func attributes(of shown: [Property], but keys: [String]) -> ValueDictionary {
    let others = shown.filter { !$0.isEntity && ($0.type != .string || !keys.contains($0.key)) }
    if others.isEmpty { return ValueDictionary() }
    return [
      "json_attr_t": .string(state),
      "json_attr_tpl": .string(EntityTemplate.attributes(others.map(\.key))),
    ]
  }
}
