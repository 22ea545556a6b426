import Gathering
import Machine
import Values

/// Temperatures of sensors that are not thermal zones: IIO channels and monitoring chips.
struct Temperature: CatalogueKind {
  enum Field: Int, SensorField {
    case temperature, role, high, critical, fault
    case samplingFrequency, acquisition, driver, label, location

    var property: Property {
      switch self {
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .role: Property("role", .enumeration(["ambient", "object", "chip"]), .static)
      case .high: Property("high", .double, unit: "Cel", .static)
      case .critical: Property("critical", .double, unit: "Cel", .static)
      case .fault: Property("fault", .bool, .onChange)
      case .samplingFrequency, .acquisition, .driver, .label, .location: tailProperty
      }
    }
  }

  let kind = "temperature"
  let name = "Temperature"
  let intervals = Intervals(seconds: 2, minimum: 0.25)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "iio"), .devices(subsystem: "hwmon"),
  ]
  static let table = Field.properties

  /// The temperature channels of IIO, then all sensors of `/sys/class/hwmon` that are no other
  /// kind's again; of all these the ambient ones first.
  func discover(on machine: Machine) -> Discovery {
    var discovery = IIODevice.discover("a thermometer", on: machine) { device, _ in
      let channels = Self.channels(of: device)
      if channels.isEmpty { return nil }
      var instance = device.instance()
      instance.notes = ["name": device.name, "channels": channels.joined(separator: " ")]
      return instance
    }
    let known = IIODevice.parents(of: discovery.instances, on: machine)
    let sensors = discovery.instances.flatMap { Self.sensors(of: $0, on: machine) }
    let chips = MonitorChip.all(on: machine.files, besides: known).flatMap { chip in
      let floor = Self.floor(of: chip, in: machine.files)
      return chip.channels("temp").map { channel in
        var instance = chip.instance(ofChannel: channel, in: machine.files)
        if let floor { instance.pollingFloor = floor }
        return instance
      }
    }
    let all = (sensors + chips).withDistinctNames()
    let isAmbient = { (instance: Instance) in instance.notes["role"] == Role.ambient.rawValue }
    discovery.instances = all.filter(isAmbient) + all.filter { !isAmbient($0) }
    return discovery
  }

  /// Opens one channel of a device, or one sensor of a chip.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    let channel = instance.notes["channel"] ?? ""
    if instance.notes["backend"] == "hwmon" {
      return Self.reader(instance.path, channel, machine.files)
    }
    let device = IIODevice(instance.path, on: machine)
    guard device.has(channel) else { throw .unavailable(.gone(instance)) }
    let plan = Self.plan(device, channel)
    return SensorReader(plan, on: machine, rule: RoleRule(Role(of: channel, on: device)))
  }

  /// Drops the temperature of a sensor that reports a fault, and impossible temperatures.
  func derive(_ reading: inout Reading) {
    if let celsius = reading[Field.temperature].number, celsius <= -273.15 {
      reading[Field.temperature] = .noData("below absolute zero")
    }
    if reading[Field.fault].flag == true {
      reading[Field.temperature] = .failed("the chip reports a fault of the sensor")
    }
  }

  /// How often the chip of a drive that turns may be read (catalogue G3).
  private static func floor(of chip: MonitorChip, in files: any FileTree) -> PollingFloor? {
    guard chip.driver == DiskDevice.chip, let device = chip.device,
      DiskDevice.turns(device, in: files)
    else { return nil }
    return .ofTurningDrives
  }

  /// `temp`, `temp_ambient`, `temp_object`, with or without an index.
  private static func channels(of device: IIODevice) -> [String] {
    device.channels("temp", modifiers: ["", Role.ambient.rawValue, Role.object.rawValue])
  }

  /// A device's channels as instances: its name, then the channel, then the part that distinguishes
  /// devices of one name.
  private static func sensors(of device: Instance, on machine: Machine) -> [Instance] {
    let name = device.notes["name"] ?? device.name
    let attributes = IIODevice(device.path, on: machine)
    return (device.notes["channels"] ?? "").split(separator: " ").map(String.init).map { channel in
      var sensor = device
      sensor.name = "\(name).\(channel)\(device.name.dropFirst(name.count))"
      sensor.label = "\(device.label) \(channel)"
      sensor.aliases = device.aliases.map { "\($0).\(channel)" }
      let role = Role(of: channel, on: attributes)
      sensor.notes = ["channel": channel, "role": role.rawValue]
      let plan = plan(attributes, channel)
      sensor.properties = plan.properties(table, on: machine)
      return sensor.unlessHeld(plan.key, attributes, on: machine)
    }
  }

  private static func plan(_ device: IIODevice, _ channel: String) -> SensorPlan {
    var plan = SensorPlan(
      device, numbers: [(Field.temperature.rawValue, [channel])],
      tail: Field.tail)
    for field in [Field.high, .critical, .fault] {
      plan.absent[field] = "sensors of this kind have none"
    }
    return plan
  }

  private static func reader(
    _ path: String, _ channel: String, _ files: any FileTree
  ) -> MonitorReader {
    var (columns, constants) = SensorTail.ofChip(at: Field.tail, label: "\(channel)_label")
    columns += [
      .init(Field.temperature, "\(channel)_input", .milliCelsius),
      .init(Field.fault, "\(channel)_fault", .flag),
      .init(Field.high, "\(channel)_max", .limit, isStatic: true),
      .init(Field.critical, "\(channel)_crit", .limit, isStatic: true),
    ]
    constants[Field.role] = .ok(.string(Role.chip.rawValue))
    return MonitorReader(path, columns, constants: constants, in: files)
  }
}

/// The object whose temperature a sensor measures.
private enum Role: String {
  case ambient, object, chip

  /// The role of a channel; motion and pressure chips measure themselves.
  init(of channel: String, on device: IIODevice) {
    let dies = ["in_accel_", "in_anglvel_", "in_magn_", "in_pressure"]
    if channel.hasSuffix("_object") {
      self = .object
    } else if channel.hasSuffix("_ambient") {
      self = .ambient
    } else {
      let isDie = device.attributes.contains { name in dies.contains { name.hasPrefix($0) } }
      self = isDie ? .chip : .ambient
    }
  }
}

/// Sets the role in each reading of an IIO channel.
private final class RoleRule: SensorReadingRule {
  private let role: Role

  init(_ role: Role) { self.role = role }

  func derive(_ reading: inout Reading) {
    reading[Temperature.Field.role] = .ok(.string(role.rawValue))
  }

  func derive(_ block: inout SampleBlock) {}
}
