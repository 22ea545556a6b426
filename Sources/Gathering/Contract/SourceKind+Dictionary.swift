public import Values

extension SourceKind {
  /// The kind in words, as every language has it: `{kind, name, meaning, origin, instances,
  /// has_aggregate, default_interval_ns, min_interval_ns, event_driven, category?, permits,
  /// simulated, properties}`.
  ///
  /// `permits` are the categories that permit actions besides showing values; `simulated` are the
  /// contexts with a built-in device that has such a source. A property is `{key, name, meaning,
  /// origin, type, unit?, mode, flags, category?, components?, words?, minimum?, maximum?,
  /// resolution?}`.
  public var dictionary: ValueDictionary {
    let about = meaning
    var row = ValueDictionary([
      ("kind", .string(kind)), ("name", .string(name)), ("meaning", .string(about.text)),
      ("origin", .string(about.origin)), ("instances", .string(about.instances)),
      ("has_aggregate", .bool(hasAggregate)),
      ("default_interval_ns", .int(intervals.factoryDefault)),
      ("min_interval_ns", .int(intervals.minimum)),
      ("event_driven", .bool(intervals.isEventDriven)),
    ])
    if let category { row["category"] = .string(category.rawValue) }
    row["permits"] = .list(permittedActions.map { .string($0.rawValue) })
    let devices = BuiltInDevice.allCases.filter { !simulated(on: $0).isEmpty }
    row["simulated"] = .list(devices.map { .string("sim:\($0.rawValue)") })
    row["properties"] = .list(
      properties.enumerated().map { index, property in
        .dictionary(property.dictionary(meaning(ofPropertyAt: index)))
      })
    return row
  }
}

extension Property {
  /// The property in words, as `SourceKind.dictionary` has it.
  package func dictionary(_ meaning: Meaning) -> ValueDictionary {
    var row = ValueDictionary([
      ("key", .string(key)), ("name", .string(name)), ("meaning", .string(meaning.text)),
      ("origin", .string(meaning.origin)), ("type", .string(type.word)),
    ])
    if let unit { row["unit"] = .string(unit) }
    row["mode"] = .string(mode.word)
    row["flags"] = .list(flags.words.map { .string($0) })
    if let category { row["category"] = .string(category.rawValue) }
    switch type {
    case .vector(let names): row["components"] = .list(names.map { .string($0) })
    case .enumeration(let words): row["words"] = .list(words.map { .string($0) })
    default: break
    }
    if let range {
      // The largest double stands for "no end".
      let largest = Double.greatestFiniteMagnitude
      if range.lowerBound > -largest { row["minimum"] = .double(range.lowerBound) }
      if range.upperBound < largest { row["maximum"] = .double(range.upperBound) }
    }
    if let resolution { row["resolution"] = .double(resolution) }
    return row
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
}

extension ReportingMode {
  fileprivate var word: String {
    switch self {
    case .continuous: "continuous"
    case .onChange: "onChange"
    case .oneShot: "oneShot"
    case .static: "static"
    }
  }
}

extension PropertyFlags {
  fileprivate var words: [String] {
    let all: [(PropertyFlags, String)] = [
      (.writable, "writable"), (.config, "config"), (.personal, "personal"),
      (.counter, "counter"), (.derived, "derived"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
