import Gathering
import Machine
import Values

/// A drive as the kernel shows it: its whole disks in `/sys/block`.
struct DiskDevice {
  static let folder = "/sys/block"
  /// The driver of chips in drives that speak ATA.
  static let chip = "drivetemp"

  /// The kernel's names of its disks: an NVMe drive may have several name spaces, and UFS units.
  let names: [String]
  /// The folder of its device, without links; of the first disk's.
  let device: String
  let bus: DiskBus
  /// Where a UFS drive tells its health.
  let descriptor: String?

  var path: String { "\(Self.folder)/\(names[0])" }

  /// The drives of a machine, in natural order of their first disks.
  static func all(on files: any FileTree) -> [DiskDevice] {
    let entries = ((try? files.entries(of: folder)) ?? []).filter(isDisk)
    var drives: [(key: String, device: String, names: [String])] = []
    for name in entries.sorted(by: NaturalOrder.areInIncreasingOrder) {
      guard let device = try? files.canonicalPath(of: "\(folder)/\(name)/device") else { continue }
      let key = descriptor(of: device.split(separator: "/"), in: files) ?? device
      if let place = drives.firstIndex(where: { $0.key == key }) {
        drives[place].names.append(name)
      } else {
        drives.append((key, device, [name]))
      }
    }
    return drives.map { key, device, names in
      DiskDevice(names, device, descriptor: key == device ? nil : key)
    }
  }

  /// Where a UFS host tells the health of its drive.
  private static func descriptor(of parts: [Substring], in files: any FileTree) -> String? {
    host(in: parts).flatMap { host in
      let folder = "/" + parts[..<host].joined(separator: "/") + "/health_descriptor"
      return (try? files.entries(of: folder)) == nil ? nil : folder
    }
  }

  /// Whether a name is that of a whole disk of a drive: no optical one, no second way to an NVMe
  /// drive, and no part of an eMMC that it keeps for itself.
  static func isDisk(_ name: String) -> Bool {
    if ["sr", "loop", "zram", "ram", "dm-"].contains(where: name.hasPrefix) { return false }
    if let rest = name.rest(after: "mmcblk") { return rest.allSatisfy(\.isDecimalDigit) }
    if let rest = name.rest(after: "nvme") { return !rest.contains("c") }
    return true
  }

  private init(_ names: [String], _ device: String, descriptor: String?) {
    self.names = names
    self.device = device
    self.descriptor = descriptor
    bus = Self.bus(names[0], device.split(separator: "/"), isUFS: descriptor != nil)
  }

  private static func bus(_ name: String, _ parts: [Substring], isUFS: Bool) -> DiskBus {
    if name.hasPrefix("nvme") { return .nvme }
    if name.hasPrefix("mmcblk") { return .mmc }
    if parts.contains(where: { $0.isCounted("usb") }) { return .usb }
    if isUFS { return .ufs }
    if parts.contains(where: { $0.isCounted("ata") }) { return .ata }
    if name.hasPrefix("vd") { return .virtio }
    return host(in: parts) == nil ? .other : .scsi
  }

  /// Where the SCSI host stands in a path.
  private static func host(in parts: [Substring]) -> Int? {
    parts.firstIndex { $0.isCounted("host") }
  }

  // MARK: Instances

  /// The drive as an instance, which udisks may know as well.
  func instance(_ drive: DiskDrive?, _ view: BusView?, on machine: Machine) -> Instance {
    let files = machine.files
    let facts = DiskIdentity(ofDisk: path, on: bus, in: files)
    var name = DiskName(
      model: facts.model.outcome.text, serial: facts.serial.outcome.text, place: place(in: files),
      kernelName: names[0])
    if name.serial == nil, let serial = drive?.identity("Serial").outcome.text {
      name.serial = serial
      name.model = drive?.identity("Model").outcome.text ?? name.model
    }
    var instance = Instance(
      name.text(on: machine), label: name.label, aliases: name.aliases(names),
      availability: availability(drive, view), path: path,
      notes: ["names": names.joined(separator: " "), "bus": bus.rawValue])
    instance.notes["descriptor"] = descriptor
    instance.notes["power"] = powered(in: files)
    let chip = chip(in: files)
    instance.notes["chip"] = chip
    if descriptor != nil || bus == .mmc {
      var table = Disk.table
      table[Disk.Field.wear].resolution = 0.1
      instance.properties = table
    }
    if chip != nil, Self.turns(disk: path, in: files) {
      instance.notes["rests"] = "rotational"
      instance.pollingFloor = .ofTurningDrives
    }
    return instance
  }

  private func availability(_ drive: DiskDrive?, _ view: BusView?) -> Availability {
    let backend = drive == nil ? "sysfs" : DiskDaemon.service.backend
    guard drive == nil, bus.hasSmart, view?.isRunning != true else {
      return Availability(.available, backend: backend)
    }
    return Availability(
      .available, backend: backend, detail: "without udisks little is told of its health",
      remedy: DiskReader.install)
  }

  /// The folder whose power says whether a reading would wake the drive (catalogue G1): the slot of
  /// an NVMe controller, the host of UFS, else the drive's own. What is read of an eMMC the kernel
  /// remembers.
  private func powered(in files: any FileTree) -> String? {
    switch bus {
    case .mmc: nil
    case .nvme: (try? files.canonicalPath(of: "\(device)/device")) ?? device
    default: descriptor.map { String($0.dropLast("/health_descriptor".count)) } ?? device
    }
  }

  /// Whether the disk of a device turns. What a USB bridge says of it may be wrong, which costs
  /// readings only.
  static func turns(_ device: String, in files: any FileTree) -> Bool {
    let disks = (try? files.entries(of: "\(device)/block")) ?? []
    return disks.contains { turns(disk: "\(device)/block/\($0)", in: files) }
  }

  private static func turns(disk: String, in files: any FileTree) -> Bool {
    AttributeFolder("\(disk)/queue", ["rotational"], in: files).read(0, .flag).flag == true
  }

  /// The folder of the chip that measures its temperature: the drive's own, that of the controller
  /// behind a device of several ways, or with older kernels that of the controller's slot.
  private func chip(in files: any FileTree) -> String? {
    var folders = [device]
    if bus == .nvme {
      let ways = ((try? files.entries(of: device)) ?? []).filter { $0[...].isCounted("nvme") }
      folders += ways.sorted(by: NaturalOrder.areInIncreasingOrder).map { "\(device)/\($0)" }
      folders.append("\(device)/device")
    }
    let wanted = bus == .nvme ? "nvme" : Self.chip
    return folders.lazy.flatMap { Self.chips(below: $0, in: files) }.first { chip in
      AttributeFolder(chip, ["name"], in: files).read(0, .text).text == wanted
    }
  }

  private static func chips(below folder: String, in files: any FileTree) -> [String] {
    let own = ((try? files.entries(of: folder)) ?? []).filter { $0[...].isCounted("hwmon") }
    let class_ = ((try? files.entries(of: "\(folder)/hwmon")) ?? []).map { "hwmon/\($0)" }
    return (own + class_).sorted(by: NaturalOrder.areInIncreasingOrder).map { "\(folder)/\($0)" }
  }

  /// Where the drive is attached, without what is merely counted: its controller, or the port of a
  /// USB device.
  private func place(in files: any FileTree) -> String? {
    var parts = device.split(separator: "/")
    if let host = Self.host(in: parts) {
      parts = Array(parts[..<host])
      if parts.last?.isCounted("ata") == true { parts.removeLast() }
    } else if bus == .nvme || bus == .virtio {
      parts.removeLast()
      if parts.last == "nvme" { parts.removeLast() }
    }
    return PersistentPath.of("/" + parts.joined(separator: "/"), in: files)
  }
}

extension PollingFloor {
  /// Reading the temperature of a drive that turns may start its spin-down timer anew
  /// (catalogue G3).
  static let ofTurningDrives = PollingFloor(
    1_200_000_000_000, "reading it more often may keep the drive from spinning down")
}

extension Substring {
  /// Whether it is a word and then a number: `host0`.
  fileprivate func isCounted(_ word: String) -> Bool {
    guard hasPrefix(word) else { return false }
    let digits = dropFirst(word.count)
    return !digits.isEmpty && digits.allSatisfy(\.isDecimalDigit)
  }
}

extension String {
  fileprivate func rest(after word: String) -> Substring? {
    hasPrefix(word) ? dropFirst(word.count) : nil
  }
}
