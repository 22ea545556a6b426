import Gathering
import Machine
import Values

/// A quantity that monitoring chips measure on rails: the volts of one or its amperes.
struct Rail {
  /// The key of the value: `voltage`.
  let key: String
  /// What the value is, in words.
  let meaning: String
  /// How the attributes of a channel begin: `in` in `in1_input`.
  let channel: String
  let unit: String
  /// Whether drivers of chips on motherboards tell what is at the pin, behind a divider that only
  /// the maker of the board knows.
  var isBehindDivider = false
}

/// A part of what a chip says of a rail, in the order of the tables of its kinds.
enum RailPart: Int {
  case value, average, minimum, maximum, criticalLow, critical, alarm, driver, label

  static let limits = minimum.rawValue...critical.rawValue
  static let noLimit = KeptOutcome(.noData("no limit is set"))

  /// What a channel has of which one attribute at the least is there: a measured value, or the lamp
  /// of a limit.
  static let signs = ["_input", "_alarm"] + alarms
  private static let alarms = ["_min_alarm", "_max_alarm", "_lcrit_alarm", "_crit_alarm"]

  /// How a part becomes a property, of an attribute of the channel.
  static func columns(of channel: String, isGuess: Bool) -> [MonitorReader.Column] {
    let rule = isGuess ? TextRule.milliBehindDivider : .milli
    return [
      .init(value, "\(channel)_input", rule, unless: "\(channel)_fault"),
      .init(average, "\(channel)_average", rule),
      .init(minimum, "\(channel)_min", .milli, isStatic: true),
      .init(maximum, "\(channel)_max", .milli, isStatic: true),
      .init(criticalLow, "\(channel)_lcrit", .milli, isStatic: true),
      .init(critical, "\(channel)_crit", .milli, isStatic: true),
      .init(alarm, "\(channel)_alarm", .flag, orAnyOf: alarms.map { channel + $0 }),
      .init(driver, "name", .text, isStatic: true),
      .init(label, "\(channel)_label", .text, isStatic: true),
    ]
  }
}

/// A field of a kind of rails: the part of its position.
protocol RailField: PropertyField {
  static var rail: Rail { get }
}

extension RailField {
  private var part: RailPart { RailPart(rawValue: rawValue) ?? .label }

  var property: Property {
    let unit = Self.rail.unit
    return switch part {
    case .value: Property(Self.rail.key, .double, unit: unit, .continuous)
    case .average: Property("average", .double, unit: unit, .continuous)
    case .minimum: Property("minimum", .double, unit: unit, .static)
    case .maximum: Property("maximum", .double, unit: unit, .static)
    case .criticalLow: Property("critical_low", .double, unit: unit, .static)
    case .critical: Property("critical", .double, unit: unit, .static)
    case .alarm: Property("alarm", .bool, .onChange)
    case .driver: Property("driver", .string, .static)
    case .label: Property("label", .string, .static)
    }
  }

  var meaning: Meaning {
    let (rail, file) = (Self.rail, Self.rail.channel + "N_")
    return switch part {
    case .value: Meaning(rail.meaning, from: file + "input ÷ 1000")
    case .average: Meaning("its mean, as the chip forms it", from: file + "average ÷ 1000")
    case .minimum: Meaning("the least without an alarm", from: file + "min ÷ 1000")
    case .maximum: Meaning("the most without an alarm", from: file + "max ÷ 1000")
    case .criticalLow: Meaning("so little does harm", from: file + "lcrit ÷ 1000")
    case .critical: Meaning("so much does harm", from: file + "crit ÷ 1000")
    case .alarm:
      Meaning("whether a limit is crossed", from: file + "alarm, else those of limits")
    case .driver: Meaning("driver of the chip", from: "name")
    case .label: Meaning("the driver's label of the rail", from: file + "label")
    }
  }
}

/// A kind whose instances are channels of monitoring chips at rails.
protocol RailKind: CatalogueKind where Field: RailField {}

extension RailKind {
  var intervals: Intervals { Intervals(seconds: 2, minimum: 0.25) }
  var topics: [ChangeTopic] { [.devices(subsystem: "hwmon")] }

  /// The channels of all chips with a value or an alarm, those of bridges from IIO included: the
  /// board says which pins are rails.
  func discover(on machine: Machine) -> Discovery {
    let rails = MonitorChip.all(on: machine.files, withBridges: true).flatMap { chip in
      chip.channels(Field.rail.channel, endingsOf: RailPart.signs).map { channel in
        var instance = chip.instance(ofChannel: channel, in: machine.files)
        let isGuess =
          Field.rail.isBehindDivider && chip.isOfMotherboard && !chip.has("\(channel)_label")
        if isGuess { instance.notes["guess"] = "divider" }
        return instance
      }
    }
    return Discovery(rails.withDistinctNames(), orElse: .noDevices(in: MonitorChip.folder))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    let channel = instance.notes["channel"] ?? ""
    let isGuess = instance.notes["guess"] != nil
    return MonitorReader(
      instance.path, RailPart.columns(of: channel, isGuess: isGuess), in: machine.files)
  }

  /// Limits that are all 0 were never set; 0 beside another may well be one.
  func derive(_ reading: inout Reading) {
    for limit in RailPart.limits {
      if let number = reading.number(at: limit), number != 0 { return }
    }
    for limit in RailPart.limits where reading.has(0, at: limit) {
      reading.set(limit, to: RailPart.noLimit)
    }
  }

  /// A rail of a built-in device, without limits.
  func simulated(_ name: String, label: String, _ value: Double, swing: Double) -> String {
    let id = "\(kind)|\(name)"
    let absent = ["average", "minimum", "maximum", "critical_low", "critical"].map {
      "0 absent \(id)/\($0) unsupported the chip has none"
    }
    return """
      0 add \(id)
      0 set \(id)/\(Field.rail.key) \(value)
      0 wave \(id)/\(Field.rail.key) sine \(swing) 0.02
      \(absent.joined(separator: "\n"))
      0 set \(id)/alarm false
      0 set \(id)/driver "\(name.prefix { $0 != "." && $0 != ":" })"
      0 set \(id)/label "\(label)"
      """
  }
}

extension TextRule {
  /// Thousandths of a unit.
  fileprivate static let milli = scaled(over: 1000)

  /// Thousandths of a unit, before a divider that only the board's maker knows.
  fileprivate static let milliBehindDivider = milli.map { .ok($0, lowAccuracy: true) }
}
