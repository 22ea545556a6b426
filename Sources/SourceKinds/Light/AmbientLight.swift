import Gathering
import Machine
import Values

/// The brightness and colour of the surroundings.
struct AmbientLight: CatalogueKind {
  enum Field: Int, SensorField {
    case illuminance, intensity, intensityRed, intensityGreen, intensityBlue, intensityInfrared
    case colorTemperature, uvIndex
    case samplingFrequency, acquisition, driver, label, location

    var property: Property {
      switch self {
      case .illuminance: Property("illuminance", .double, unit: "lx", .continuous)
      case .intensity: Property("intensity", .double, unit: "1", .continuous)
      case .intensityRed: Property("intensity_red", .double, unit: "1", .continuous)
      case .intensityGreen: Property("intensity_green", .double, unit: "1", .continuous)
      case .intensityBlue: Property("intensity_blue", .double, unit: "1", .continuous)
      case .intensityInfrared: Property("intensity_infrared", .double, unit: "1", .continuous)
      case .colorTemperature: Property("color_temperature", .double, unit: "K", .continuous)
      case .uvIndex: Property("uv_index", .double, unit: "1", .continuous, name: "UV index")
      case .samplingFrequency, .acquisition, .driver, .label, .location: tailProperty
      }
    }
  }

  let kind = "ambient_light"
  let name = "Ambient Light"
  let intervals = Intervals(seconds: 0.2, minimum: 0.02, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "iio"), .devices(subsystem: "hwmon"), .bus(SensorProxy.service),
  ]
  static let table = Field.properties

  /// Where each value comes from: the type of channel, and its modifiers, the best first.
  private static let origins: [(field: Field, type: String, modifiers: [String])] = [
    (.illuminance, "illuminance", ["", "clear", "both"]),
    (.intensity, "intensity", ["both", "clear", ""]),
    (.intensityRed, "intensity", ["red"]),
    (.intensityGreen, "intensity", ["green"]),
    (.intensityBlue, "intensity", ["blue"]),
    (.intensityInfrared, "intensity", ["ir"]),
    (.colorTemperature, "colortemp", [""]),
    (.uvIndex, "uvindex", [""]),
  ]

  /// All IIO devices that measure light, then monitoring chips that do.
  func discover(on machine: Machine) -> Discovery {
    var discovery = IIODevice.discover("a light sensor", on: machine) { device, _ in
      let plan = Self.plan(device)
      if plan.columns.isEmpty { return nil }
      return plan.instance(properties: plan.properties(Self.table, on: machine), on: machine)
    }
    let chips = MonitorChip.all(on: machine.files).filter { $0.has("light") }
    let all = discovery.instances + chips.map { $0.instance() }
    let proxy = SensorProxy.instances(of: .light, beside: all, on: machine)
    discovery.instances = (all + proxy).withDistinctNames()
    return discovery
  }

  /// Opens a light sensor.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.notes["backend"] == "hwmon" { return Self.reader(instance, machine.files) }
    if instance.notes["sensor"] != nil { return Self.proxyReader(on: machine) }
    let plan = Self.plan(IIODevice(instance.path, on: machine))
    if plan.columns.isEmpty { throw .unavailable(.gone(instance)) }
    return AmbientLightReader(plan, on: machine)
  }

  /// A number in a unit of the maker's own is never called lux.
  private static func proxyReader(on machine: Machine) -> SensorProxyReader {
    SensorProxyReader(
      SensorProxyClaim(.light, on: machine), tail: Field.tail,
      count: table.count,
      names: [Field.illuminance.rawValue: "LightLevel", Field.intensity.rawValue: "LightLevel"]
    ) { reported in
      let level = Outcome.of(reported["LightLevel"], "LightLevel") { value in
        value.number { $0 < 0 ? .noData("reported as \($0)") : .ok(.double($0)) }
      }
      let isLux = reported["LightLevelUnit"]?.text == "lux"
      return [(isLux ? Field.illuminance : .intensity).rawValue: level]
    }
  }

  private static func plan(_ device: IIODevice) -> SensorPlan {
    SensorPlan(
      device,
      numbers: origins.map {
        ($0.field.rawValue, device.channels($0.type, modifiers: $0.modifiers))
      }, tail: Field.tail)
  }

  /// A chip's numbers have a scale of the maker's own, so they are never called lux.
  private static func reader(_ instance: Instance, _ files: any FileTree) -> MonitorReader {
    var (columns, constants) = SensorTail.ofChip(at: Field.tail, label: "label")
    columns.append(.init(Field.intensity, "light", .brighterSide))
    for property in 0..<Field.tail where property != Field.intensity.rawValue {
      constants[property] = .unsupported("the chip's numbers have no unit")
    }
    return MonitorReader(instance.path, columns, constants: constants, in: files)
  }
}

extension TextRule {
  /// The sensors left and right of a keyboard, `(4,9)`: the brighter one counts.
  fileprivate static let brighterSide = TextRule { text in
    let inner = text.dropFirst().dropLast()
    let sides = inner.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { try? NumberText.unsigned($0.span) }
    guard text.first == UInt8(ascii: "("), text.last == UInt8(ascii: ")"), sides.count == 2,
      let left = sides[0], let right = sides[1]
    else { return .unparsable(text) }
    return .ok(.double(Double(max(left, right))))
  }
}
