import Gathering
import Machine

/// What this machine is: its system, its maker, its identity and its size.
struct DeviceMetadata: SourceKind {
  /// A metadata kind; it holds nothing.
  init() {}

  enum Field: Int, CaseIterable {
    case osId, osName, osVersion, osPrettyName, osVariant, osBuild
    case kernelName, kernelRelease, kernelVersion, architecture
    case vendor, model, modelVersion, family, sku
    case boardVendor, boardName, firmwareVendor, firmwareVersion, firmwareDate
    case chassis, serial, hardwareUuid, hostname, prettyHostname, deviceId, bootId
    case bootTime, uptime, cpuModel, logicalCpus, physicalCores, memoryTotal, locale, timezone
  }

  /// The word in identifiers.
  let kind = "device_metadata"
  /// The name for people.
  let name = "Device Metadata"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 60, minimum: 1)
  /// What the bus tells of it by itself.
  let topics: [ChangeTopic] = [.bus(HostDaemon.service)]
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] = [
    Property("os_id", .string, .static, name: "OS id"),
    Property("os_name", .string, .static, name: "OS name"),
    Property("os_version", .string, .static, name: "OS version"),
    Property("os_pretty_name", .string, .static, name: "OS pretty name"),
    Property("os_variant", .string, .static, name: "OS variant"),
    Property("os_build", .string, .static, name: "OS build"),
    Property("kernel_name", .string, .static),
    Property("kernel_release", .string, .static),
    Property("kernel_version", .string, .static),
    Property("architecture", .string, .static),
    Property("vendor", .string, .static),
    Property("model", .string, .static),
    Property("model_version", .string, .static),
    Property("family", .string, .static),
    Property("sku", .string, .static, name: "SKU"),
    Property("board_vendor", .string, .static),
    Property("board_name", .string, .static),
    Property("firmware_vendor", .string, .static),
    Property("firmware_version", .string, .static),
    Property("firmware_date", .string, .static),
    Property("chassis", .enumeration(DeviceMetadata.chassisWords), .static),
    Property("serial", .string, .static, category: .serial),
    Property("hardware_uuid", .string, .static, category: .serial, name: "Hardware UUID"),
    Property("hostname", .string, .onChange, category: .hostname),
    Property("pretty_hostname", .string, .onChange, category: .hostname),
    Property("device_id", .string, .static),
    Property("boot_id", .string, .static),
    Property("boot_time", .time, .static),
    Property("uptime", .double, unit: "s", .continuous),
    Property("cpu_model", .string, .static, name: "CPU model"),
    Property("logical_cpus", .int, .static, name: "Logical CPUs"),
    Property("physical_cores", .int, .static),
    Property("memory_total", .int, unit: "By", .static),
    Property("locale", .string, .onChange),
    Property("timezone", .string, .onChange, name: "Time zone"),
  ]

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
