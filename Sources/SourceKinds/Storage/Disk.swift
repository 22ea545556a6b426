import Gathering
import Machine
import Values

/// Drives: their health, wear and temperature, as udisks and the kernel know them. No drive is
/// woken or asked to measure.
struct Disk: CatalogueKind {
  enum Field: Int, PropertyField {
    case failing, warnings, temperature, wear, spare, powerOnTime, badSectors, mediaErrors
    case failingAttributes, readTotal, writtenTotal, powerCycles, unsafeShutdowns, selftest
    case updated, size, rotational, removable, bus, model, firmware, serial

    var property: Property {
      switch self {
      case .failing: Property("failing", .bool, .onChange)
      case .warnings: Property("warnings", .string, .onChange)
      case .temperature: Property("temperature", .double, unit: "Cel", .onChange)
      case .wear: Property("wear", .double, unit: "1", .onChange, range: 0...2.55)
      case .spare: Property("spare", .double, unit: "1", .onChange, range: 0...1)
      case .powerOnTime: Property("power_on_time", .double, unit: "s", .onChange)
      case .badSectors: Property("bad_sectors", .int, unit: "1", .onChange)
      case .mediaErrors: Property("media_errors", .int, unit: "1", .onChange)
      case .failingAttributes: Property("failing_attributes", .int, unit: "1", .onChange)
      case .readTotal: Property("read_total", .int, unit: "By", .onChange)
      case .writtenTotal: Property("written_total", .int, unit: "By", .onChange)
      case .powerCycles: Property("power_cycles", .int, unit: "1", .onChange)
      case .unsafeShutdowns: Property("unsafe_shutdowns", .int, unit: "1", .onChange)
      case .selftest: Property("selftest", .string, .onChange)
      case .updated: Property("updated", .time, .onChange)
      case .size: Property("size", .int, unit: "By", .static)
      case .rotational: Property("rotational", .bool, .static)
      case .removable: Property("removable", .bool, .static)
      case .bus: Property("bus", .enumeration(DiskBus.allCases.map(\.rawValue)), .static)
      case .model: Property("model", .string, .static)
      case .firmware: Property("firmware", .string, .static)
      case .serial: Property("serial", .string, .static, category: .serial)
      }
    }
  }

  let kind = "disk"
  let name = "Disk"
  let intervals = Intervals(seconds: 600, minimum: 60, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "block"), .devices(subsystem: "hwmon"), .bus(DiskDaemon.service),
  ]
  let hasAggregate = true
  static let table = Field.properties

  /// The drives after the aggregate of all: those of the kernel, then what udisks alone knows.
  func discover(on machine: Machine) -> Discovery {
    let view = machine.view(of: DiskDaemon.service)
    let known = view?.drives ?? []
    let seen = DiskDevice.all(on: machine.files)
    var found = seen.map { device in
      let drive = known.first { $0.has(anyOf: device.names) }
      return device.instance(drive, view, on: machine)
    }
    let names = seen.flatMap(\.names)
    found += known.filter { !$0.has(anyOf: names) }.map { $0.instance(on: machine) }
    let absence = Self.absence(on: machine.files)
    guard let first = found.first else { return Discovery([], orElse: absence) }
    let all = Instance.aggregate(first.availability, label: "All disks")
    return Discovery([all] + found.withDistinctNames(), orElse: absence)
  }

  private static func absence(on files: any FileTree) -> Availability {
    do {
      _ = try files.entries(of: DiskDevice.folder)
      return .noDevices(in: DiskDevice.folder)
    } catch {
      return Availability(listing: error, backend: "sysfs")
    }
  }

  /// Opens a drive; the aggregate has nothing of its own.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : DiskReader(instance, on: machine)
  }
}

/// What a drive is attached to.
enum DiskBus: String, CaseIterable {
  case ata, nvme, usb, mmc, ufs, scsi, virtio, other

  /// Whether the kernel tells the model of drives there as they tell it.
  var tellsWholeModel: Bool { self == .nvme || self == .mmc }

  /// Whether udisks may tell of the health of drives there.
  var hasSmart: Bool { ![.mmc, .ufs, .virtio].contains(self) }
}
