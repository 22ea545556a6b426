import Gathering
import Machine
import Values

/// Connected screens: identity, mode and brightness.
struct Screen: CatalogueKind {
  enum Field: Int, PropertyField {
    case brightness, brightnessRaw, brightnessMax, power, width, height, refreshRate
    case physicalWidth, physicalHeight, modes, connector, builtIn, enabled
    case manufacturer, productCode, model, year, serial, backlightType

    var property: Property {
      switch self {
      case .brightness:
        Property("brightness", .double, unit: "1", .onChange, .writable, range: 0...1)
      case .brightnessRaw:
        Property("brightness_raw", .int, unit: "1", .onChange, name: "Raw brightness")
      case .brightnessMax:
        Property("brightness_max", .int, unit: "1", .static, name: "Largest raw brightness")
      case .power: Property("power", .bool, .onChange)
      case .width: Property("width", .int, unit: "{px}", .onChange)
      case .height: Property("height", .int, unit: "{px}", .onChange)
      case .refreshRate: Property("refresh_rate", .double, unit: "Hz", .onChange)
      case .physicalWidth: Property("physical_width", .double, unit: "m", .static)
      case .physicalHeight: Property("physical_height", .double, unit: "m", .static)
      case .modes: Property("modes", .string, .onChange)
      case .connector: Property("connector", .string, .static)
      case .builtIn: Property("built_in", .bool, .static)
      case .enabled: Property("enabled", .bool, .onChange)
      case .manufacturer: Property("manufacturer", .string, .static)
      case .productCode: Property("product_code", .int, .static)
      case .model: Property("model", .string, .static)
      case .year: Property("year", .int, .static)
      case .serial: Property("serial", .string, .static, category: .serial)
      case .backlightType:
        Property("backlight_type", .enumeration(["firmware", "platform", "raw"]), .static)
      }
    }
  }

  let kind = "screen"
  let name = "Screen"
  let intervals = Intervals(seconds: 5, minimum: 1, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "drm"), .devices(subsystem: "backlight"),
  ]
  static let table = Field.properties

  /// The connected screens, built-in ones first, without accessing them.
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
