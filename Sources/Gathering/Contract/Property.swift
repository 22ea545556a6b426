public import Values

/// One quantity of an instance: one row of a kind's table in the catalogue (sources 6).
public struct Property: Equatable, Sendable {
  /// `[a-z][a-z0-9_]*`, unique in its kind and for ever.
  public var key: String
  /// English, for people.
  public var name: String
  /// The type of its payloads.
  public var type: PropertyType
  /// UCUM code; nil for text, bool and time.
  public var unit: String?
  /// When a reading of it counts as new.
  public var mode: ReportingMode
  /// Its traits beyond a plain reading.
  public var flags: PropertyFlags
  /// The category that must be allowed before its content is shown, if any (sources 13).
  public var category: PrivacyCategory?
  /// The smallest and largest payload, where known.
  public var range: ClosedRange<Double>?
  /// The step of the hardware, where known.
  public var resolution: Double?

  /// A row of a property table. The name is made from the key unless one is given.
  public init(
    _ key: String, _ type: PropertyType, unit: String? = nil, _ mode: ReportingMode,
    _ flags: PropertyFlags = [], category: PrivacyCategory? = nil,
    range: ClosedRange<Double>? = nil, resolution: Double? = nil, name: String? = nil
  ) {
    self.key = key
    self.name = name ?? Property.name(fromKey: key)
    self.type = type
    self.unit = unit
    self.mode = mode
    self.flags = category == nil ? flags : flags.union(.personal)
    self.category = category
    self.range = range
    self.resolution = resolution
  }

  private static func name(fromKey key: String) -> String {
    let words = key.split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension Property {
  /// A payload as the property takes it: an integer may stand for a double.
  ///
  /// Throws `type` for one of another type, `invalidArgument` for one out of range or not finite.
  func accepting(_ value: Value) throws(SourceError) -> Value {
    var value = value
    if type == .double, case .int(let number) = value { value = .double(Double(number)) }
    guard type.holds(value) else {
      throw .type("\(key) takes no such type")
    }
    for number in value.vector?.components ?? [value.number ?? 0] {
      guard number.isFinite else { throw .invalidArgument("\(key) must be finite") }
      guard let range, !range.contains(number) else { continue }
      throw .invalidArgument("\(key) must be from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}

extension PropertyType {
  /// Whether a payload is of the type.
  fileprivate func holds(_ value: Value) -> Bool {
    switch (self, value) {
    case (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.bytes, .bytes),
      (.time, .time):
      true
    case (.vector(let components), .vector(let vector)): components.count == vector.count
    case (.enumeration(let words), .string(let word)): words.contains(word)
    default: false
    }
  }
}

/// The type of a property's payloads.
public enum PropertyType: Equatable, Sendable {
  case bool
  case int
  case double
  /// Two to four doubles with named components.
  case vector(components: [String])
  case string
  case bytes
  /// Nanoseconds of CLOCK_REALTIME.
  case time
  /// A string out of the catalogue's list; unknown words may come with newer kernels.
  case enumeration([String])
}

/// When a reading is news (sources 6).
public enum ReportingMode: Int32, Equatable, Sendable {
  /// Each reading is news.
  case continuous = 0
  /// News when payload or status differs.
  case onChange = 1
  /// One value, then the source stops itself.
  case oneShot = 2
  /// Read at claim and by `updateValues()`.
  case `static` = 3
}

extension Property {
  /// What its numbers are, for their text.
  public var measure: Measure {
    Measure(unit: unit, resolution: resolution, meaning: meaning)
  }

  /// A payload as one line, in a style (sources V15). No payload is `–`.
  public func format(_ value: Value, _ style: ValueStyle = .people) -> String {
    value.format(style, as: measure)
  }

  /// Whether its range is a whole, or one that may be exceeded, as wear may.
  private var isOfWhole: Bool {
    range.map { $0.lowerBound == 0 && (1..<10).contains($0.upperBound) } ?? false
  }

  private var meaning: Measure.Meaning {
    switch unit {
    case "1" where type == .double && (isOfWhole || flags.contains(.derived)): .share
    case "deg" where key == "latitude" || key == "longitude": .coordinate
    default: flags.contains(.counter) ? .count : .plain
    }
  }
}

extension Property {
  /// Whether a sample of the other may stand for one of this: it has its key and its type.
  func isLaidOut(as other: Property) -> Bool { key.isSpelt(other.key) && type == other.type }
}

extension [Property] {
  /// Whether samples of the other list have their places in this one, too; ranges and the like may
  /// differ.
  func areLaidOut(as other: [Property]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isLaidOut(as: $1) }
  }
}

/// Traits of a property beyond a plain reading.
public struct PropertyFlags: OptionSet, Hashable, Sendable {
  /// The mask.
  public let rawValue: UInt32
  /// Flags of a raw mask, as the C header numbers them.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Setting it writes the device.
  public static let writable = PropertyFlags(rawValue: 1)
  /// Setting it belongs to the session that made it.
  public static let config = PropertyFlags(rawValue: 2)
  /// Its content is shown only with its category allowed.
  public static let personal = PropertyFlags(rawValue: 4)
  /// It only grows, until it starts again.
  public static let counter = PropertyFlags(rawValue: 8)
  /// Computed by the library.
  public static let derived = PropertyFlags(rawValue: 16)
}
