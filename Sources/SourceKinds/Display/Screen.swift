import Gathering
import Machine
import Values

/// Connected screens: what they are, what they show and how bright.
struct Screen: SourceKind {
  /// A screen kind; it holds nothing.
  init() {}

  enum Field: Int, CaseIterable {
    case brightness, brightnessRaw, brightnessMax, power, width, height, refreshRate
    case physicalWidth, physicalHeight, modes, connector, builtIn, enabled
    case manufacturer, productCode, model, year, serial, backlightType
  }

  /// The word in identifiers.
  let kind = "screen"
  /// The name for people.
  let name = "Screen"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 5, minimum: 1, eventDriven: true)
  /// What the kernel tells of it by itself.
  let topics: [ChangeTopic] = [
    .devices(subsystem: "drm"), .devices(subsystem: "backlight"),
  ]
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] = [
    Property("brightness", .double, unit: "1", .onChange, .writable, range: 0...1),
    Property("brightness_raw", .int, unit: "1", .onChange, name: "Raw brightness"),
    Property("brightness_max", .int, unit: "1", .static, name: "Largest raw brightness"),
    Property("power", .bool, .onChange),
    Property("width", .int, unit: "{px}", .onChange),
    Property("height", .int, unit: "{px}", .onChange),
    Property("refresh_rate", .double, unit: "Hz", .onChange),
    Property("physical_width", .double, unit: "m", .static),
    Property("physical_height", .double, unit: "m", .static),
    Property("modes", .string, .onChange),
    Property("connector", .string, .static),
    Property("built_in", .bool, .static),
    Property("enabled", .bool, .onChange),
    Property("manufacturer", .string, .static),
    Property("product_code", .int, .static),
    Property("model", .string, .static),
    Property("year", .int, .static),
    Property("serial", .string, .static, category: .serial),
    Property("backlight_type", .enumeration(["firmware", "platform", "raw"]), .static),
  ]

  /// The connected screens, built-in ones first, without asking any of them.
  func discover(on machine: Machine) -> Discovery {
    let found = ScreenFinder(machine.files).screens()
    let none: Availability
    do {
      _ = try machine.files.entries(of: ScreenFinder.connectors)
      none = Availability(
        .noHardware, backend: "sysfs",
        detail: "\(ScreenFinder.connectors) holds no connected screen")
    } catch {
      none = Availability(listing: error, backend: "sysfs")
    }
    return Discovery(found, orElse: none)
  }

  /// Opens a screen or a lone backlight.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    ScreenReader(instance, on: machine)
  }

  /// Sets the brightness, the one property that can be set.
  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, on machine: Machine
  ) throws(SourceError) {
    guard index == Field.brightness.rawValue, let share = value.number else {
      throw .notSupported("screen/\(Self.table[index].key) cannot be set")
    }
    try Self.setBrightness(share, of: instance, on: machine)
  }
}
