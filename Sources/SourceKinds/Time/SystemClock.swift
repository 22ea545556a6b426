import Gathering
import Ground
import Machine
import Values

/// How good the time of the machine is, and what it is set by: the system's clock, pulses and the
/// clocks of devices.
struct SystemClock: CatalogueKind {
  enum Field: Int, PropertyField {
    case synchronized, offset, maximumError, estimatedError, frequencyCorrection
    case rootDelay, rootDispersion, jitter, stratum, leap, server, service
    case pollInterval, lastUpdate, taiOffset, pulses, pulseTime, clockSource, label

    var property: Property {
      switch self {
      case .synchronized: Property("synchronized", .bool, .onChange)
      case .offset: Property("offset", .double, unit: "s", .continuous)
      case .maximumError: Property("maximum_error", .double, unit: "s", .continuous)
      case .estimatedError: Property("estimated_error", .double, unit: "s", .continuous)
      case .frequencyCorrection:
        Property("frequency_correction", .double, unit: "[ppm]", .continuous)
      case .rootDelay: Property("root_delay", .double, unit: "s", .continuous)
      case .rootDispersion: Property("root_dispersion", .double, unit: "s", .continuous)
      case .jitter: Property("jitter", .double, unit: "s", .continuous)
      case .stratum: Property("stratum", .int, unit: "1", .onChange)
      case .leap: Property("leap", .enumeration(Self.leaps), .onChange)
      case .server: Property("server", .string, .onChange, category: .hostname)
      case .service: Property("service", .enumeration(Self.services), .onChange)
      case .pollInterval: Property("poll_interval", .double, unit: "s", .onChange)
      case .lastUpdate: Property("last_update", .time, .onChange)
      case .taiOffset: Property("tai_offset", .int, unit: "s", .onChange)
      case .pulses: Property("pulses", .int, unit: "1", .continuous, .counter)
      case .pulseTime: Property("pulse_time", .time, .continuous)
      case .clockSource: Property("clock_source", .string, .onChange)
      case .label: Property("label", .string, .static)
      }
    }

    /// By the number that NTP has for it.
    static let leaps = ["none", "insert", "delete", "unsynchronized"]
    private static let services = ["chrony", "timesyncd", "kernel"]
  }

  let kind = "time"
  let name = "Clock"
  let intervals = Intervals(seconds: 10, minimum: 1)
  let topics: [ChangeTopic] = [.devices(subsystem: "pps"), .devices(subsystem: "ptp")]
  static let table = Field.properties

  /// The system's clock.
  static let system = "system"

  /// The system's clock, then the pulses, then the clocks of devices.
  func discover(on machine: Machine) -> Discovery {
    var found: [Instance] = []
    let available = Availability(.available, backend: "adjtimex")
    if Self.hasClock(machine) {
      found.append(Instance(Self.system, label: "System clock", availability: available))
    }
    let devices = PulseReader.all(on: machine) + HardwareClockReader.all(on: machine)
    return Discovery(
      found + devices.withDistinctNames(),
      orElse: Availability(
        .noHardware, backend: "adjtimex", detail: "nothing tells the state of the clock"))
  }

  /// Whether anything can be told of the system's clock; of a tree its side file tells it.
  private static func hasClock(_ machine: Machine) -> Bool {
    if machine.clocks.chrony != nil { return true }
    guard let kernel = machine.clocks.kernel else { return false }
    do throws(SystemError) {
      _ = try kernel.numbers()
      return true
    } catch {
      return error.code != SystemText.notSupported
    }
  }

  /// Opens a clock.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    switch instance.notes["device"] {
    case "pps"?: PulseReader(instance, on: machine)
    case "ptp"?: HardwareClockReader(instance, on: machine)
    default: SystemClockReader(machine)
    }
  }
}

extension Reading {
  /// Says that a device has none of these.
  mutating func lack(_ fields: [SystemClock.Field], _ reason: KeptOutcome) {
    for field in fields { set(field, to: reason) }
  }
}
