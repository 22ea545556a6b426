import GatheredKitTesting
import Gathering
import Machine
import Values

@testable import SourceKinds

/// udisks as a test plays it on a bus.
struct PlayedDisks {
  static let name = "org.freedesktop.UDisks2"
  static let root = "/org/freedesktop/UDisks2"

  /// The serial numbers of the drives, which name their objects as well.
  static let hardSerial = "WD-WCC7K0000001"
  static let fastSerial = "S5P2NG0R700001A"

  static let hard = "\(root)/drives/WDC_WD40EFRX_68N32N0_WD_WCC7K0000001"
  static let fast = "\(root)/drives/Samsung_SSD_980_PRO_1TB_\(fastSerial)"
  static let stick = "\(root)/drives/Generic_Flash_Disk_0815"

  /// The time at which the played drives were read.
  static let read: UInt64 = 1_700_000_000

  typealias Interfaces = [String: [String: BusValue]]

  static func drive(_ model: String, _ revision: String, _ serial: String) -> [String: BusValue] {
    [
      "Vendor": .string(""), "Model": .string(model), "Revision": .string(revision),
      "Serial": .string(serial), "ConnectionBus": .string(""), "Size": .uint64(4096),
      "RotationRate": .int32(0), "Removable": .bool(false), "Optical": .bool(false),
    ]
  }

  /// A drive that turns, as 2.9 and 2.10 have it.
  static let ata: [String: BusValue] = [
    "SmartSupported": .bool(true), "SmartEnabled": .bool(true), "SmartUpdated": .uint64(read),
    "SmartFailing": .bool(false), "SmartPowerOnSeconds": .uint64(36_000),
    "SmartTemperature": .double(306.15), "SmartNumAttributesFailing": .int32(1),
    "SmartNumAttributesFailedInThePast": .int32(2), "SmartNumBadSectors": .int64(8),
    "SmartSelftestStatus": .string("success"), "SmartSelftestPercentRemaining": .int32(-1),
  ]

  /// An NVMe drive, as 2.10 has it.
  static let controller: [String: BusValue] = [
    "State": .string("live"), "SmartUpdated": .uint64(read),
    "SmartCriticalWarning": .array(of: "s", []), "SmartPowerOnHours": .uint64(100),
    "SmartTemperature": .uint16(310), "SmartSelftestStatus": .string("success"),
    "SmartSelftestPercentRemaining": .int32(-1),
  ]

  /// What `SmartGetAttributes` answers of it.
  static let attributes: [String: BusValue] = [
    "avail_spare": .byte(100), "spare_thresh": .byte(10), "percent_used": .byte(4),
    "total_data_read": .uint64(1_000_000), "total_data_written": .uint64(2_000_000),
    "power_cycles": .uint64(30), "unsafe_shutdowns": .uint64(5), "media_errors": .uint64(0),
    "num_err_log_entries": .uint64(7), "temp_sensors": .array(of: "q", [.uint16(311)]),
  ]

  static func block(
    _ disk: String, _ drive: String, isPartition: Bool = false
  ) -> (path: String, interfaces: Interfaces) {
    var interfaces: Interfaces = [
      "\(name).Block": [
        "Device": .bytes(Array("/dev/\(disk)".utf8) + [0]), "Drive": .path(drive),
        "Size": .uint64(4096),
      ]
    ]
    if isPartition { interfaces["\(name).Partition"] = ["Number": .uint32(1)] }
    return ("\(root)/block_devices/\(disk)", interfaces)
  }

  /// The objects of a release: a hard disk, an NVMe drive and a stick.
  static func objects(version: String) -> [String: Interfaces] {
    var objects: [String: Interfaces] = [
      "\(root)/Manager": ["\(name).Manager": ["Version": .string(version)]],
      hard: [
        "\(name).Drive": drive("WDC WD40EFRX-68N32N0", "82.00A82", hardSerial),
        "\(name).Drive.Ata": ata,
      ],
      fast: ["\(name).Drive": drive("Samsung SSD 980 PRO 1TB", "5B2QGXA7", fastSerial)],
      stick: [
        "\(name).Drive": drive("Flash Disk", "1.0", "0815").merging(
          ["ConnectionBus": .string("usb"), "Removable": .bool(true), "Size": .uint64(0)]) { $1 }
      ],
      "\(root)/drives/DVD_RW": ["\(name).Drive": drive("DVD RW", "1.0", "77")],
    ]
    if !version.hasPrefix("2.9") {
      objects[fast]?["\(name).NVMe.Controller"] = controller
      objects[fast]?["\(name).NVMe.Namespace"] = ["NSID": .uint32(1)]
    }
    for (path, interfaces) in [
      block("sda", hard), block("sda1", hard, isPartition: true), block("nvme0n1", fast),
      block("sdu", stick), block("sr0", "\(root)/drives/DVD_RW"), block("loop0", "/"),
    ] { objects[path] = interfaces }
    return objects
  }

  let bus = FixtureBus()
  let machine: Machine

  /// A machine on which udisks runs; its files are those of a captured machine, if it has any.
  init(_ tree: String? = nil, version: String = "2.10.1", at boot: Int64 = 0) throws {
    let plain = try tree.map { try SourceKindsTests.machine(named: $0) }
    let fixture = try FixtureMachine(nature: .captured, bus: bus)
    machine = Machine(
      nature: .captured, files: plain?.files ?? fixture.machine.files, notices: nil,
      clock: fixture.machine.clock, switches: fixture.machine.switches, addresses: nil,
      iio: fixture.machine.iio, bus: bus)
    bus.run(Self.name, Self.objects(version: version).mapValues { BusObject($0) })
    answer(Self.attributes)
  }

  /// What NVMe drives answer from now on.
  func answer(_ attributes: [String: BusValue]) {
    let pairs = attributes.map { BusPair(.string($0.key), .variant($0.value)) }
    bus.answer("SmartGetAttributes", with: .success([.dictionary(of: "sv", pairs)]))
  }

  /// Changes what udisks says of a drive's health.
  func set(_ drive: String, _ properties: [String: BusValue?]) {
    let interface = drive == Self.hard ? "\(Self.name).Drive.Ata" : "\(Self.name).NVMe.Controller"
    bus.set(Self.name, drive, interface, properties)
  }

  func read(_ instance: String, allow: Allowance = .all) throws -> [String: Outcome] {
    try KindHarness(Disk(), machine: machine, allow: allow).read(instance)
  }

  /// The name of an instance without a machine id.
  static func id(_ model: String, _ serial: String) -> String {
    "\(model).\(MachineIdentity.none.digest(of: serial))"
  }

  static let hardName = id("WDC WD40EFRX-68N32N0", hardSerial)
  static let fastName = id("Samsung SSD 980 PRO 1TB", fastSerial)
}
