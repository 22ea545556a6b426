import Gathering
import Machine
import Values

/// Uninterruptible power supplies: what they feed, how full they are and for how long they last.
struct UPS: CatalogueKind {
  enum Field: Int, PropertyField {
    case state, lowBattery, replaceBattery, charging, discharging, overload, forcedShutdown
    case status, alarm, level, load, runtime, realPower, apparentPower
    case inputVoltage, outputVoltage, batteryVoltage, inputFrequency
    case temperature, ambientTemperature, ambientHumidity
    case testResult, manufacturer, model, firmware, driver, description, serial

    var property: Property {
      switch self {
      case .state: Property("state", .enumeration(UPSStatus.states), .onChange)
      case .lowBattery: Property("low_battery", .bool, .onChange)
      case .replaceBattery: Property("replace_battery", .bool, .onChange)
      case .charging: Property("charging", .bool, .onChange)
      case .discharging: Property("discharging", .bool, .onChange)
      case .overload: Property("overload", .bool, .onChange)
      case .forcedShutdown: Property("forced_shutdown", .bool, .onChange)
      case .status: Property("status", .string, .onChange)
      case .alarm: Property("alarm", .string, .onChange)
      case .level: Property("level", .double, unit: "1", .onChange, range: 0...1)
      case .load: Property("load", .double, unit: "1", .continuous, range: 0...9)
      case .runtime: Property("runtime", .double, unit: "s", .onChange)
      case .realPower: Property("real_power", .double, unit: "W", .continuous)
      case .apparentPower: Property("apparent_power", .double, unit: "V.A", .continuous)
      case .inputVoltage: Property("input_voltage", .double, unit: "V", .continuous)
      case .outputVoltage: Property("output_voltage", .double, unit: "V", .continuous)
      case .batteryVoltage: Property("battery_voltage", .double, unit: "V", .continuous)
      case .inputFrequency: Property("input_frequency", .double, unit: "Hz", .continuous)
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .ambientTemperature:
        Property("ambient_temperature", .double, unit: "Cel", .continuous)
      case .ambientHumidity:
        Property("ambient_humidity", .double, unit: "%", .continuous, range: 0...100)
      case .testResult: Property("test_result", .string, .onChange)
      case .manufacturer: Property("manufacturer", .string, .static)
      case .model: Property("model", .string, .static)
      case .firmware: Property("firmware", .string, .static)
      case .driver: Property("driver", .string, .static)
      case .description: Property("description", .string, .static, category: .hostname)
      case .serial: Property("serial", .string, .static, category: .serial)
      }
    }
  }

  let kind = "ups"
  let name = "UPS"
  let intervals = Intervals(seconds: 5, minimum: 1)
  let topics: [ChangeTopic] = [UpsdLink.topic]
  static let table = Field.properties

  /// What upsd lists, in natural order. Nothing is asked here: `ask` does.
  func discover(on machine: Machine) -> Discovery {
    UpsdLink.of(machine)?.discovery() ?? Discovery([], orElse: .noUpsdInTree)
  }

  /// Asks upsd for its list; a connection starts nothing, since no unit of Debian's waits for one.
  func ask(_ machine: Machine) -> (any ListQuestion)? {
    UpsdLink.of(machine)?.listen(toList: true)
  }

  /// The host of an upsd elsewhere.
  func host(on machine: Machine) -> String? {
    guard let address = machine.upsd?.address, !address.isLocal else { return nil }
    return address.host
  }

  /// Connects, unless others have.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    guard let link = UpsdLink.of(machine) else { throw .unavailable(.noUpsdInTree) }
    return UPSReader(of: instance.path, link)
  }

  /// A simulated device has no words of a status, but its flags.
  func derive(_ reading: inout Reading) {
    guard reading[Field.status].absence == Self.noWords,
      let isDischarging = reading[Field.discharging].flag
    else { return }
    reading[Field.state] = .ok(.string(isDischarging ? "on_battery" : "online"))
  }

  /// What the status of a simulated device is.
  static let noWords = Absence("the simulation has no status words")
}
