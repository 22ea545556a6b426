import Gathering
import Machine
import Values

/// udisks: the drives it knows, and what they told it of their health when it last asked.
///
/// Its own copy is all that is read: it is never told to ask a drive.
enum DiskDaemon {
  static let name = "org.freedesktop.UDisks2"
  static let root = "/org/freedesktop/UDisks2"
  static let drive = "\(name).Drive"
  static let ata = "\(name).Drive.Ata"
  static let controller = "\(name).NVMe.Controller"
  static let block = "\(name).Block"
  static let partition = "\(name).Partition"
  static let manager = "\(name).Manager"

  static let service = BusService(
    name, objects: .managed(root: root),
    readings: [
      "SmartUpdated", "SmartFailing", "SmartTemperature", "SmartPowerOnSeconds",
      "SmartPowerOnHours", "SmartNumAttributesFailing", "SmartNumAttributesFailedInThePast",
      "SmartNumBadSectors", "SmartSelftestStatus", "SmartSelftestPercentRemaining",
      "SmartCriticalWarning",
    ],
    unit: "udisks2.service", package: "udisks2")
}

extension BusView {
  /// The drives with a block device, in natural order of the kernel's names of their disks.
  var drives: [DiskDrive] {
    var disks: [String: [String]] = [:]
    for object in objects.values where object.interfaces[DiskDaemon.partition] == nil {
      guard let path = object[DiskDaemon.block, "Drive"]?.path,
        let disk = Self.name(object[DiskDaemon.block, "Device"]), DiskDevice.isDisk(disk)
      else { continue }
      disks[path, default: []].append(disk)
    }
    let found = disks.compactMap { path, disks -> DiskDrive? in
      object(path, DiskDaemon.drive).map {
        DiskDrive(
          path: path, object: $0, disks: disks.sorted(by: NaturalOrder.areInIncreasingOrder))
      }
    }
    return found.sorted { NaturalOrder.areInIncreasingOrder($0.disks[0], $1.disks[0]) }
  }

  /// `sda` of `/dev/sda` and a NUL.
  private static func name(_ device: BusValue?) -> String? {
    let text = (device?.bytes ?? []).prefix { $0 != 0 }.lenientText
    let name = text.split(separator: "/").dropFirst().last.map(String.init)
    return text.hasPrefix("/dev/") ? name : nil
  }

  /// Whether the daemon is older than its interface for NVMe.
  var isBeforeNVMe: Bool {
    let manager = object("\(DiskDaemon.root)/Manager", DiskDaemon.manager)
    let version = manager?[DiskDaemon.manager, "Version"]?.text ?? ""
    let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return false }
    return numbers[0] < 2 || numbers[0] == 2 && numbers[1] < 10
  }
}

/// One drive of udisks, with the properties it has reported.
struct DiskDrive {
  /// Its object; the name of it may have the serial number and is shown nowhere.
  let path: String
  let object: BusObject
  /// The kernel's names of its whole disks; one at the least.
  let disks: [String]

  /// Whether it has one of some disks.
  func has(anyOf names: [String]) -> Bool { disks.contains(where: names.contains) }

  /// Whether udisks tells its health as that of an ATA drive.
  var isATA: Bool { object.interfaces[DiskDaemon.ata] != nil }
  /// Whether udisks tells its health as that of an NVMe drive.
  var isNVMe: Bool { object.interfaces[DiskDaemon.controller] != nil }

  /// A text that tells what it is, with its place.
  func identity(_ name: String) -> ReportedValue {
    object.reported(DiskDaemon.drive, name, \.asText)
  }

  /// A flag or a number that tells what it is, with its place.
  func fact(_ name: String, _ rule: (BusValue) -> Outcome?) -> ReportedValue {
    object.reported(DiskDaemon.drive, name, rule)
  }

  /// The drive as an instance, where the kernel shows no disk.
  func instance(on machine: Machine) -> Instance {
    let name = DiskName(
      model: identity("Model").outcome.text, serial: identity("Serial").outcome.text, place: nil,
      kernelName: disks[0])
    return Instance(
      name.text(on: machine), label: name.label, aliases: name.aliases(disks),
      availability: Availability(.available, backend: DiskDaemon.service.backend),
      path: "\(DiskDevice.folder)/\(disks[0])", notes: ["names": disks.joined(separator: " ")])
  }
}

/// By what an instance is known.
struct DiskName {
  var model: String?
  var serial: String?
  /// Where it is attached, for one that tells no serial number.
  var place: String?
  var kernelName: String

  /// The model, then the digest of the serial number, else the place.
  func text(on machine: Machine) -> String {
    let digest = serial.map { MachineIdentity.of(machine).digest(ofIdentityIn: $0) }
    return [model, digest ?? place ?? kernelName].compactMap { $0 }.joined(separator: ".")
  }

  var label: String { model ?? kernelName }

  /// The kernel's names, but for one that is the stable one.
  func aliases(_ names: [String]) -> [String] {
    let isPlain = model == nil && serial == nil && place == nil
    return names.filter { !isPlain || $0 != kernelName }
  }
}
