import Values

/// A kind of the catalogue, or a property of one, in lines for people.
struct KindText {
  private let row: ValueDictionary

  /// A kind as `SourceCatalogue.description` has it.
  init(_ row: Value) {
    self.row = if case .dictionary(let row) = row { row } else { [:] }
  }

  /// The text of a member; empty if there is none.
  func text(_ key: String) -> String { row[key]?.text ?? "" }

  /// All there is to say about the kind; within `width` columns, if there is a limit.
  func lines(on terminal: Terminal, width: Int?) -> [String] {
    var lines = [terminal.styled("\(text("kind"))  \(text("name"))", .heading)]
    lines += text("meaning").wrapped(to: width, behind: 2)
    lines.append("")
    for (name, fact) in facts {
      lines += fact.wrapped(to: width, behind: 13, headed: "  " + name.padded(to: 11))
    }
    for property in properties {
      lines.append("")
      lines += property.propertyLines(on: terminal, width: width)
    }
    return lines
  }

  /// What a source of the kind would tell: each property with its meaning, and where to try it.
  ///
  /// - Parameter key: the property that is meant; nil for all.
  func preview(of key: String? = nil) -> [String] {
    let meant = properties.filter { key == nil || $0.text("key") == key }
    let width = meant.map { $0.text("key").columnWidth }.max() ?? 0
    let values = meant.map { "    \($0.text("key").padded(to: width))  \($0.text("meaning"))" }
    var lines = ["  what it would tell:"] + values
    if let example = example(key) { lines.append("  to try it: \(example)") }
    return lines
  }

  // MARK: Below

  private var properties: [KindText] {
    if case .list(let rows)? = row["properties"] { rows.map(KindText.init) } else { [] }
  }

  private var facts: [(String, String)] {
    let seconds = ["default_interval_ns", "min_interval_ns"].map { name in
      Value.double((row[name]?.number ?? 0) / 1e9).formatted(unit: "s")
    }
    let events = row["event_driven"] == .bool(true) ? ", and when something changes" : ""
    var facts = [
      ("from", text("origin")), ("instances", text("instances")),
      ("interval", "\(seconds[0]), \(seconds[1]) at the least\(events)"),
    ]
    let categories = [text("category")].filter { !$0.isEmpty } + texts("permits")
    if !categories.isEmpty { facts.append(("personal", categories.joined(separator: ", "))) }
    if let example = example(nil) { facts.append(("to try it", example)) }
    return facts
  }

  /// A command line that reads it, whatever this machine has.
  private func example(_ key: String?) -> String? {
    let id = text("kind") + (key.map { "/\($0)" } ?? "")
    return texts("simulated").first.map { "gathered read \(id) --context \($0)" }
  }

  /// Of a property: its key and values, its meaning, and where it comes from.
  private func propertyLines(on terminal: Terminal, width: Int?) -> [String] {
    let key = "  \(text("key"))  "
    var lines = values.wrapped(to: width, behind: key.columnWidth, headed: key)
    lines[0] = terminal.styled(key, .heading) + lines[0].dropFirst(key.count)
    lines += text("meaning").wrapped(to: width, behind: 4)
    let origin = "from \(text("origin"))".wrapped(to: width, behind: 4)
    return lines + origin.map { terminal.styled($0, .dimmed) }
  }

  /// Of a property: the values it may have, when they are news, and its traits.
  private var values: String {
    var parts = [what, range, Self.modes[text("mode")] ?? ""]
    parts += texts("flags").compactMap { Self.traits[$0] }
    if row["category"] != nil { parts.append("personal: \(text("category"))") }
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private var what: String {
    let unit = text("unit")
    switch text("type") {
    case "vector":
      let components = texts("components").joined(separator: ", ")
      return unit == "1" ? components : "\(components) in \(unit)"
    case "enum": return texts("words").joined(separator: ", ")
    case "string": return "text"
    // A count or a ratio has the unit 1, which says nothing.
    case let type: return unit.isEmpty || unit == "1" ? type : "\(type) in \(unit)"
    }
  }

  private var range: String {
    let ends = ["minimum", "maximum"].map { row[$0]?.formatted() }
    return switch (ends[0], ends[1]) {
    case (let least?, let most?): "\(least) to \(most)"
    case (let least?, nil): "at least \(least)"
    case (nil, let most?): "at most \(most)"
    case (nil, nil): ""
    }
  }

  private static let modes = [
    "continuous": "continuous", "onChange": "on change", "oneShot": "one value", "static": "static",
  ]
  private static let traits = [
    "writable": "can be set on the device", "config": "can be set for a session",
    "counter": "counter", "derived": "computed",
  ]

  private func texts(_ key: String) -> [String] {
    if case .list(let items)? = row[key] { items.compactMap(\.text) } else { [] }
  }
}

extension String {
  /// The text in lines of at most so many columns behind a margin, broken between words; the first
  /// margin may hold a heading instead of spaces.
  fileprivate func wrapped(
    to columns: Int?, behind margin: Int, headed heading: String? = nil
  ) -> [String] {
    let space = String(repeating: " ", count: margin)
    var lines: [String] = []
    var line = heading ?? space
    var isFresh = true
    for word in printable.split(separator: " ") {
      if !isFresh, let columns, line.columnWidth + 1 + String(word).columnWidth > columns {
        lines.append(line)
        (line, isFresh) = (space, true)
      }
      line += (isFresh ? "" : " ") + word
      isFresh = false
    }
    return lines + [line]
  }
}
