public import Gathering
public import Machine

/// What temperature sensors measure that are not thermal zones: chips of the monitoring class.
public struct Temperature: SourceKind {
  enum Field: Int, CaseIterable {
    case temperature, role, high, critical, fault
    case samplingFrequency, acquisition, driver, label, location
  }

  /// The word in identifiers.
  public let kind = "temperature"
  /// The name for people.
  public let name = "Temperature"
  /// How often it is read unless asked otherwise, and at most.
  public let intervals = Intervals(seconds: 2, minimum: 0.25)
  /// What the kernel tells of it by itself.
  public let topics: [ChangeTopic] = [.devices(subsystem: "hwmon")]
  /// The catalogue's table, in its order.
  public let properties = [
    Property("temperature", .double, unit: "Cel", .continuous),
    Property("role", .enumeration(["ambient", "object", "chip"]), .static),
    Property("high", .double, unit: "Cel", .static),
    Property("critical", .double, unit: "Cel", .static),
    Property("fault", .bool, .onChange),
    Property("sampling_frequency", .double, unit: "Hz", .onChange),
    Property("acquisition", .enumeration(["poll", "stream", "service"]), .onChange),
    Property("driver", .string, .static),
    Property("label", .string, .static),
    Property("location", .enumeration(["display", "base", "camera", "unknown"]), .static),
  ]

  /// The kind; it keeps no state.
  public init() {}

  /// All sensors of `/sys/class/hwmon` that are no other kind's again.
  public func discover(on machine: Machine) -> Discovery {
    let absence = Availability.noDevices(in: MonitorChip.folder)
    let available = Availability(.available, backend: "sysfs")
    let instances = MonitorChip.all(on: machine.files).flatMap { chip in
      chip.channels("temp").map { channel in
        let folder = AttributeFolder(chip.path, ["\(channel)_label"], in: machine.files)
        let label = folder.read(0, .text).text ?? channel
        return Instance(
          "\(chip.name):\(channel)", label: "\(chip.driver) \(label)",
          aliases: ["\(chip.kernelName):\(channel)"], availability: available,
          path: chip.path, notes: ["channel": channel])
      }
    }
    return Discovery(instances.withDistinctNames(), orElse: absence)
  }

  /// Opens one sensor of a chip.
  public func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    TemperatureReader(instance.path, instance.notes["channel"] ?? "temp1", machine.files)
  }

  /// Withholds the temperature of a sensor that reports a fault.
  public func derive(_ reading: inout Reading) {
    if reading[Field.fault].flag == true {
      reading[Field.temperature] = .failed("the chip reports a fault of the sensor")
    }
  }
}

/// Reads one `tempN` of a chip in `/sys/class/hwmon`.
private final class TemperatureReader: InstanceReader {
  private let folder: AttributeFolder

  init(_ path: String, _ channel: String, _ files: any FileTree) {
    let names = ["input", "max", "crit", "fault", "label"].map { "\(channel)_\($0)" }
    folder = AttributeFolder(path, names + ["name"], in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    reading[Temperature.Field.temperature] = folder.read(0, .milliCelsius)
    reading[Temperature.Field.fault] = folder.read(3, .flag)
    guard request.scope == .everything else { return }
    reading[Temperature.Field.role] = .ok(.string("chip"))
    reading[Temperature.Field.high] = folder.read(1, .limit)
    reading[Temperature.Field.critical] = folder.read(2, .limit)
    reading[Temperature.Field.samplingFrequency] = .unsupported("a polled sensor has no rate")
    reading[Temperature.Field.acquisition] = .ok(.string("poll"))
    reading[Temperature.Field.driver] = folder.read(5, .text)
    reading[Temperature.Field.label] = folder.read(4, .text)
    reading[Temperature.Field.location] = .ok(.string("unknown"))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Temperature.Field(rawValue: index) {
    case .temperature: folder.raw(0)
    case .high: folder.raw(1)
    case .critical: folder.raw(2)
    case .fault: folder.raw(3)
    case .label: folder.raw(4)
    case .driver: folder.raw(5)
    default: nil
    }
  }
}
