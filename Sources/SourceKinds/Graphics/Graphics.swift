import Gathering
import Machine
import Values

/// Graphics cards, and the graphics of processors: what they do, hold, take and how warm they are.
struct Graphics: CatalogueKind {
  enum Field: Int, PropertyField {
    case utilization, memoryUtilization, encoderUtilization, decoderUtilization, videoUtilization
    case memoryTotal, memoryUsed, sharedTotal, sharedUsed
    case temperature, temperatureHotspot, temperatureMemory, power, powerLimit, energy
    case frequency, memoryFrequency, frequencyMaximum, fanSpeed, fanDuty
    case throttle, performanceState, powerState
    case integrated, vendor, model, driver, driverVersion, pciAddress, uuid, keepAwake

    var property: Property {
      switch self {
      case .utilization: Self.share("utilization")
      case .memoryUtilization: Self.share("memory_utilization")
      case .encoderUtilization: Self.share("encoder_utilization")
      case .decoderUtilization: Self.share("decoder_utilization")
      case .videoUtilization: Self.share("video_utilization")
      case .memoryTotal: Property("memory_total", .int, unit: "By", .static)
      case .memoryUsed: Property("memory_used", .int, unit: "By", .continuous)
      case .sharedTotal: Property("shared_total", .int, unit: "By", .static)
      case .sharedUsed: Property("shared_used", .int, unit: "By", .continuous)
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .temperatureHotspot: Property("temperature_hotspot", .double, unit: "Cel", .continuous)
      case .temperatureMemory: Property("temperature_memory", .double, unit: "Cel", .continuous)
      case .power: Property("power", .double, unit: "W", .continuous)
      case .powerLimit: Property("power_limit", .double, unit: "W", .onChange)
      case .energy: Property("energy", .double, unit: "J", .continuous, .counter)
      case .frequency: Property("frequency", .double, unit: "Hz", .continuous)
      case .memoryFrequency: Property("memory_frequency", .double, unit: "Hz", .continuous)
      case .frequencyMaximum: Property("frequency_maximum", .double, unit: "Hz", .static)
      case .fanSpeed: Property("fan_speed", .double, unit: "{r}/min", .continuous)
      case .fanDuty: Self.share("fan_duty")
      case .throttle: Property("throttle", .string, .onChange)
      case .performanceState: Property("performance_state", .int, unit: "1", .onChange)
      case .powerState:
        Property(
          "power_state", .enumeration(RuntimePower.State.allCases.map(\.rawValue)), .onChange)
      case .integrated: Property("integrated", .bool, .static)
      case .vendor:
        Property("vendor", .enumeration(GraphicsVendor.allCases.map(\.rawValue)), .static)
      case .model: Property("model", .string, .static)
      case .driver: Property("driver", .string, .static)
      case .driverVersion: Property("driver_version", .string, .static)
      case .pciAddress: Property("pci_address", .string, .static)
      case .uuid: Property("uuid", .string, .static, category: .serial)
      case .keepAwake: Property("keep_awake", .bool, .onChange, .config)
      }
    }

    private static func share(_ key: String) -> Property {
      Property(key, .double, unit: "1", .continuous, range: 0...1)
    }

    /// What is known of a card without asking it.
    static let facts: [Field] = [.integrated, .vendor, .driver, .pciAddress]
  }

  let kind = "gpu"
  let name = "Graphics"
  let intervals = Intervals(seconds: 2, minimum: 0.25)
  let topics: [ChangeTopic] = [.devices(subsystem: "drm"), .devices(subsystem: "hwmon")]
  let spans = [PowerSpan.rule(of: Field.power, .own), CardActivity.rule]
  let hasAggregate = true
  let overrulesScripts = true
  static let table = Field.properties

  /// Discrete cards, then integrated ones; the aggregate before all.
  func discover(on machine: Machine) -> Discovery {
    let absence = Availability(
      .noHardware, backend: "sysfs", detail: "no card in \(GraphicsCard.folder) can render")
    let cards = GraphicsCard.all(on: machine.files)
    if cards.isEmpty { return Discovery([], orElse: absence) }
    let members = cards.map { $0.instance(on: machine) }
    let best = members.first { $0.availability.state == .available } ?? members[0]
    var all = Instance.aggregate(best.availability, label: name)
    all.pollingFloor = members.compactMap(\.pollingFloor).max { $0.interval < $1.interval }
    return Discovery(([all] + members).withDistinctNames(), orElse: absence)
  }

  /// Opens a card; the aggregate has nothing of its own.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : CardReader(GraphicsCard(instance), on: machine)
  }

  /// The setting is a session's own. Where the driver hangs, nothing is known (sources L9).
  func derive(_ reading: inout Reading) {
    if reading.status(at: Field.powerState.rawValue) == .failed {
      return reading.set(Field.keepAwake, to: reading[Field.powerState])
    }
    reading.set(Field.keepAwake, to: false)
  }

  /// A simulated card sleeps while it takes no power, and has no values then (catalogue G1).
  func overrule(_ reading: inout Reading) {
    guard let watts = reading.number(Field.power), watts <= 0 else { return }
    reading[Field.powerState] = .ok(.string(RuntimePower.State.suspended.rawValue))
    for field in Field.changing where reading.status(at: field.rawValue) != .unsupported {
      reading.set(field, to: RuntimePower.asleep)
    }
  }
}

extension Graphics.Field {
  /// What an asleep card has no values of.
  static let changing = allCases.filter {
    Graphics.table[$0.rawValue].mode != .static && $0 != .powerState && $0 != .keepAwake
  }
  /// What is static, and has to be asked of the card.
  static let asked: [Graphics.Field] = [
    .memoryTotal, .sharedTotal, .frequencyMaximum, .model, .driverVersion, .uuid,
  ]
}

/// Who made a card.
enum GraphicsVendor: String, CaseIterable {
  case amd, intel, nvidia, arm, broadcom, qualcomm, imagination, other

  /// By the number of PCI, `0x1002`.
  init(ofPCI number: String) {
    self =
      switch number {
      case "0x1002": .amd
      case "0x8086": .intel
      case "0x10de": .nvidia
      case "0x13b5": .arm
      case "0x14e4": .broadcom
      case "0x17cb", "0x5143": .qualcomm
      case "0x1010": .imagination
      default: .other
      }
  }

  /// By the driver of a card that is a part of a chip.
  init(ofDriver driver: String) {
    self =
      switch driver {
      case "v3d", "vc4": .broadcom
      case "panfrost", "panthor", "lima": .arm
      case "msm", "adreno", "msm_dpu": .qualcomm
      case "powervr", "pvr": .imagination
      case "gk20a", "nvgpu", "nouveau": .nvidia
      default: .other
      }
  }
}
