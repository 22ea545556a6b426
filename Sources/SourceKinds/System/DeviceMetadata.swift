import Gathering
import Machine

/// The machine: its system, manufacturer, identity and size.
struct DeviceMetadata: CatalogueKind {
  enum Field: Int, PropertyField {
    case osId, osName, osVersion, osPrettyName, osVariant, osBuild
    case kernelName, kernelRelease, kernelVersion, architecture
    case vendor, model, modelVersion, family, sku
    case boardVendor, boardName, firmwareVendor, firmwareVersion, firmwareDate
    case chassis, serial, hardwareUuid, hostname, prettyHostname, deviceId, bootId
    case bootTime, uptime, cpuModel, logicalCpus, physicalCores, memoryTotal, locale, timezone

    var property: Property {
      switch self {
      case .osId: Property("os_id", .string, .static, name: "OS id")
      case .osName: Property("os_name", .string, .static, name: "OS name")
      case .osVersion: Property("os_version", .string, .static, name: "OS version")
      case .osPrettyName: Property("os_pretty_name", .string, .static, name: "OS pretty name")
      case .osVariant: Property("os_variant", .string, .static, name: "OS variant")
      case .osBuild: Property("os_build", .string, .static, name: "OS build")
      case .kernelName: Property("kernel_name", .string, .static)
      case .kernelRelease: Property("kernel_release", .string, .static)
      case .kernelVersion: Property("kernel_version", .string, .static)
      case .architecture: Property("architecture", .string, .static)
      case .vendor: Property("vendor", .string, .static)
      case .model: Property("model", .string, .static)
      case .modelVersion: Property("model_version", .string, .static)
      case .family: Property("family", .string, .static)
      case .sku: Property("sku", .string, .static, name: "SKU")
      case .boardVendor: Property("board_vendor", .string, .static)
      case .boardName: Property("board_name", .string, .static)
      case .firmwareVendor: Property("firmware_vendor", .string, .static)
      case .firmwareVersion: Property("firmware_version", .string, .static)
      case .firmwareDate: Property("firmware_date", .string, .static)
      case .chassis: Property("chassis", .enumeration(DeviceMetadata.chassisWords), .static)
      case .serial: Property("serial", .string, .static, category: .serial)
      case .hardwareUuid:
        Property("hardware_uuid", .string, .static, category: .serial, name: "Hardware UUID")
      case .hostname: Property("hostname", .string, .onChange, category: .hostname)
      case .prettyHostname: Property("pretty_hostname", .string, .onChange, category: .hostname)
      case .deviceId: Property("device_id", .string, .static)
      case .bootId: Property("boot_id", .string, .static)
      case .bootTime: Property("boot_time", .time, .static)
      case .uptime: Property("uptime", .double, unit: "s", .continuous)
      case .cpuModel: Property("cpu_model", .string, .static, name: "CPU model")
      case .logicalCpus: Property("logical_cpus", .int, .static, name: "Logical CPUs")
      case .physicalCores: Property("physical_cores", .int, .static)
      case .memoryTotal: Property("memory_total", .int, unit: "By", .static)
      case .locale: Property("locale", .string, .onChange)
      case .timezone: Property("timezone", .string, .onChange, name: "Time zone")
      }
    }
  }

  let kind = "device_metadata"
  let name = "Device Metadata"
  let intervals = Intervals(seconds: 60, minimum: 1)
  let topics: [ChangeTopic] = [.bus(HostDaemon.service)]
  static let table = Field.properties

  static let chassisWords = [
    "desktop", "laptop", "convertible", "server", "tablet", "handset", "watch", "embedded", "vm",
    "container",
  ]

  /// The machine itself, which is always there.
  func discover(on machine: Machine) -> Discovery {
    let present = Availability(.available, backend: "procfs")
    return Discovery(
      [Instance("machine", label: "This machine", availability: present)], orElse: present)
  }

  /// Opens the machine.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    DeviceMetadataReader(machine)
  }
}
