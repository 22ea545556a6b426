import Gathering
import Machine
import Values

/// What a drive is, which does not change: the kernel's files, and udisks where it knows better.
struct DiskFacts {
  private typealias Field = Disk.Field

  private let disks: [String]
  private let bus: DiskBus?
  private let files: any FileTree

  init(_ instance: Instance, in files: any FileTree) {
    let names = (instance.notes["names"] ?? "").split(separator: " ")
    disks = names.map { "\(DiskDevice.folder)/\($0)" }
    bus = instance.notes["bus"].flatMap(DiskBus.init)
    self.files = files
  }

  func read(
    _ drive: DiskDrive?, isSerialWanted: Bool
  ) -> [(field: Disk.Field, value: ReportedValue)] {
    let disk = disks.first ?? ""
    let identity = DiskIdentity(ofDisk: disk, on: bus, in: files)
    var found: [(Disk.Field, ReportedValue)] = [
      (.size, size(drive)),
      (
        .rotational,
        flag("\(disk)/queue/rotational", or: drive, "RotationRate") {
          $0.integer.map { .ok(.bool($0 != 0)) }
        }
      ),
      (.removable, flag("\(disk)/removable", or: drive, "Removable", \.asFlag)),
      (.bus, (bus ?? drive?.bus).map { (.ok(.string($0.rawValue)), nil) } ?? Self.unknown),
      (.model, model(drive, identity)),
      (.firmware, Self.better(drive, "Revision", identity.firmware)),
    ]
    if isSerialWanted { found.append((.serial, Self.better(drive, "Serial", identity.serial))) }
    return found
  }

  private static let unknown: ReportedValue = (.noData("the kernel does not show it"), nil)

  /// The model; that of NVMe and eMMC is udisks' with `_` for each space.
  private func model(_ drive: DiskDrive?, _ identity: DiskIdentity) -> ReportedValue {
    let own = identity.model
    if bus?.tellsWholeModel == true, own.outcome.status == .ok { return own }
    return Self.better(drive, "Model", own)
  }

  /// What udisks knows, else what the kernel does.
  private static func better(
    _ drive: DiskDrive?, _ name: String, _ other: ReportedValue
  ) -> ReportedValue {
    guard let told = drive?.identity(name), other.outcome.status != .ok || told.outcome.text != nil
    else { return other }
    return told
  }

  /// All its disks together; 0 is a reader without a medium.
  private func size(_ drive: DiskDrive?) -> ReportedValue {
    var total: Int64 = 0
    var raw: RawValue?
    for disk in disks {
      let file = ParsedFile("\(disk)/size", .sectors, in: files)
      let outcome = file.read()
      raw = raw ?? file.raw
      guard let size = outcome.integer else {
        guard outcome.status == .unsupported, let drive else { return (outcome, file.raw) }
        return drive.fact("Size") { $0.count(Self.size) }
      }
      let (sum, overflow) = total.addingReportingOverflow(size)
      if overflow { return (.failed("the size exceeds 64 bits"), file.raw) }
      total = sum
    }
    return (Self.size(total), raw)
  }

  private static func size(_ bytes: Int64) -> Outcome {
    bytes > 0 ? .ok(.int(bytes)) : .noData("there is no medium")
  }

  /// A flag of the kernel's, else a property of udisks'.
  private func flag(
    _ path: String, or drive: DiskDrive?, _ name: String, _ rule: (BusValue) -> Outcome?
  ) -> ReportedValue {
    let file = ParsedFile(path, .flag, in: files)
    let outcome = file.read()
    guard outcome.status == .unsupported, let drive else { return (outcome, file.raw) }
    return drive.fact(name, rule)
  }
}

extension TextRule {
  /// Sectors of 512 bytes, whatever the drive calls a sector.
  fileprivate static let sectors = TextRule { text in
    guard let sectors = NumberText.integer(text), sectors >= 0 else { return .unparsable(text) }
    let (bytes, overflow) = sectors.multipliedReportingOverflow(by: 512)
    return overflow ? .unparsable(text) : .ok(.int(bytes))
  }
}

extension DiskDrive {
  /// What it is attached to, as far as udisks tells.
  fileprivate var bus: DiskBus? {
    switch object[DiskDaemon.drive, "ConnectionBus"]?.text {
    case "usb": .usb
    case "sdio": .mmc
    default: isATA ? .ata : isNVMe ? .nvme : nil
    }
  }
}
