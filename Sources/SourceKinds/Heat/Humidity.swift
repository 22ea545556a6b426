import Gathering
import Machine

/// The relative humidity of the air, and the temperature of the sensor.
struct Humidity: CatalogueKind {
  enum Field: Int, SensorField {
    case relativeHumidity, temperature
    case samplingFrequency, acquisition, driver, label, location

    var property: Property {
      switch self {
      case .relativeHumidity:
        Property("relative_humidity", .double, unit: "%", .continuous, range: plausible)
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .samplingFrequency, .acquisition, .driver, .label, .location: tailProperty
      }
    }
  }

  let kind = "humidity"
  let name = "Humidity"
  let intervals = Intervals(seconds: 1, minimum: 0.02)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "iio"), .devices(subsystem: "hwmon"),
  ]
  static let table = Field.properties

  static let plausible = 0.0...100.0

  /// All IIO devices with a humidity channel, then monitoring chips with one.
  func discover(on machine: Machine) -> Discovery {
    var discovery = IIODevice.discover("a humidity sensor", on: machine) { device, _ in
      guard let plan = Self.plan(device) else { return nil }
      var table = plan.properties(Self.table, on: machine)
      table[Field.relativeHumidity].range = Self.plausible
      return plan.instance(properties: table, on: machine)
    }
    let known = IIODevice.parents(of: discovery.instances, on: machine)
    let chips = MonitorChip.all(on: machine.files, besides: known).flatMap { chip in
      chip.channels("humidity").enumerated().map { position, channel in
        // A chip has one as a rule, and is then named like other chips.
        var instance = chip.instance(position == 0 ? nil : channel)
        instance.notes["channel"] = channel
        return instance
      }
    }
    discovery.instances = (discovery.instances + chips).withDistinctNames()
    return discovery
  }

  /// Opens a humidity sensor.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if let channel = instance.notes["channel"] {
      return Self.reader(instance.path, channel, machine.files)
    }
    guard let plan = Self.plan(IIODevice(instance.path, on: machine)) else {
      throw .unavailable(.gone(instance))
    }
    return SensorReader(plan, on: machine, rule: HumidityRule())
  }

  /// Refuses humidities there are none of.
  func derive(_ reading: inout Reading) {
    if let humidity = reading[Field.relativeHumidity].number, !Self.plausible.contains(humidity) {
      reading[Field.relativeHumidity] = .failed("\(humidity) % is implausible")
    }
  }

  private static func plan(_ device: IIODevice) -> SensorPlan? {
    let humidity = device.channels("humidityrelative")
    if humidity.isEmpty { return nil }
    return SensorPlan(
      device,
      numbers: [
        (Field.relativeHumidity.rawValue, humidity),
        (Field.temperature.rawValue, device.channels("temp", modifiers: ["", "ambient"])),
      ], tail: Field.tail)
  }

  private static func reader(
    _ path: String, _ channel: String, _ files: any FileTree
  ) -> MonitorReader {
    let number = channel.drop { !$0.isDecimalDigit }
    let (tail, constants) = SensorTail.ofChip(at: Field.tail, label: "\(channel)_label")
    let columns: [MonitorReader.Column] = [
      .init(Field.relativeHumidity, "\(channel)_input", .scaled(over: 1000)),
      .init(Field.temperature, "temp\(number)_input", .milliCelsius),
    ]
    return MonitorReader(path, columns + tail, constants: constants, in: files)
  }
}

/// Drops implausible rows of a stream; implausible readings are the kind's to refuse.
private struct HumidityRule: SensorRule {
  func derive(_ block: inout SampleBlock) {
    let index = Humidity.Field.relativeHumidity.rawValue
    guard case .numbers(var rows, 1) = block.columns[index] else { return }
    for row in rows.indices where !Humidity.plausible.contains(rows[row]) { rows[row] = .nan }
    block.columns[index] = .numbers(rows, width: 1)
  }
}
