import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// `disk` of files alone (catalogue 13.10).
@Suite struct DiskTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Disk(), machine: machine.with(files: files)), files)
  }

  private static let bridge = PlayedDisks.id("2115", "DD564198838F1")
  private static let flash = PlayedDisks.id("DF4064", "0x51c2e4a7")
  private static let card = PlayedDisks.id("SC64G", "0x1f2e3d4c")
  private static let ufs = "KLUDG4UHDB-B2D1.1d84000.ufshc"

  @Test func `13.10 drives by model and digest of the serial, else the place`() throws {
    let desktop = try harness("disks-desktop").0
    #expect(
      desktop.names == [
        "aggregate", PlayedDisks.fastName, PlayedDisks.hardName, Self.bridge,
        "SD/MMC.usb-1-4:1.0", "pci-0000:00:05.0",
      ])
    #expect(desktop.instance(PlayedDisks.fastName)?.aliases == ["nvme0n1", "nvme0n2"])
    #expect(desktop.instance(alias: "sda")?.name == PlayedDisks.hardName)
    #expect(desktop.instance(alias: "vda")?.label == "vda")
    #expect(desktop.instance(Self.bridge)?.label == "2115")
    let phone = try harness("disks-phone").0
    #expect(phone.names == ["aggregate", Self.flash, Self.card, Self.ufs])
    #expect(phone.instance(Self.ufs)?.aliases == ["sda", "sdb"])
  }

  @Test func `every file reaches its own property, and udisks is missed where it would tell`()
    throws
  {
    let desktop = try harness("disks-desktop").0
    let hard = try desktop.read("sda")
    let payloads: [String: Payload] = [
      "temperature": .double(31), "size": .int(4_000_787_030_016), "rotational": .bool(true),
      "removable": .bool(false), "bus": .string("ata"), "model": .string("WDC WD40EFRX-68N32N0"),
      "firmware": .string("0A82"), "serial": .string(PlayedDisks.hardSerial),
    ]
    for (key, outcome) in hard {
      if let payload = payloads[key] {
        #expect(outcome == .ok(payload), "\(key)")
      } else {
        #expect(outcome.status == .unsupported, "\(key)")
        #expect(outcome.absence?.remedy == "install udisks2", "\(key)")
      }
    }
    let fast = try desktop.read("nvme0n1")
    #expect(fast["temperature"] == .ok(.double(36.85)))
    #expect(fast["size"] == .ok(.int((1_953_525_168 + 2048) * 512)))
    #expect(fast.text("bus") == "nvme" && fast.text("firmware") == "5B2QGXA7")
    #expect(fast.text("model") == "Samsung SSD 980 PRO 1TB")
    #expect(try desktop.raw("sda", "temperature")?.place.hasSuffix("/hwmon2/temp1_input") == true)
    #expect(try desktop.raw("sda", "serial")?.place == "/run/udev/data/b8:0")
  }

  @Test func `13.10 a bridge, an empty reader and a virtual disk tell what they are`() throws {
    let desktop = try harness("disks-desktop").0
    let bridge = try desktop.read("sdb")
    #expect(bridge.text("bus") == "usb" && bridge.payload("rotational") == .bool(true))
    #expect(bridge.status("temperature") == .unsupported)
    let reader = try desktop.read("sdc")
    #expect(reader.payload("removable") == .bool(true))
    #expect(reader["size"]?.absence?.reason == "there is no medium")
    #expect(reader.status("serial") == .unsupported)
    let plain = try desktop.read("vda")
    #expect(plain.text("bus") == "virtio" && plain.status("model") == .unsupported)
    #expect(plain.reason("failing") == "such a drive does not tell")
    #expect(plain["failing"]?.absence?.remedy == "")
    let states = ["sda", "sdb", "vda"].map { desktop.instance(alias: $0)?.availability.remedy }
    #expect(states == ["install udisks2", "install udisks2", ""])
  }

  @Test func `13.10 eMMC and UFS tell their wear without a daemon`() throws {
    let phone = try harness("disks-phone").0
    let flash = try phone.read(Self.flash)
    #expect(flash["wear"] == .ok(.double(0.3)))
    #expect(flash["failing"] == .ok(.bool(false)))
    #expect(flash.text("bus") == "mmc" && flash.text("firmware") == "0x0600000000000000")
    #expect(flash.text("model") == "DF4064" && flash.payload("size") == .int(62_537_072_640))
    #expect(phone.instance(Self.flash)?.properties?[Disk.Field.wear].resolution == 0.1)
    let ufs = try phone.read(Self.ufs)
    #expect(ufs["wear"] == .ok(.double(1.1)))
    #expect(ufs["failing"] == .ok(.bool(false)))
    #expect(ufs.text("bus") == "ufs" && ufs.text("firmware") == "0300")
    #expect(ufs.payload("size") == .int((30_777_344 + 2048) * 8 * 512))
    let card = try phone.read(Self.card)
    #expect(card.status("wear") == .unsupported && card.status("failing") == .unsupported)
    let all = try phone.read("aggregate")
    #expect(all["wear"] == .ok(.double(1.1)) && all["failing"] == .ok(.bool(false)))
    #expect(all.reason("model") == "several drives")
  }

  @Test(
    arguments: [
      ("0x01 0x01", 0.1), ("0x0a 0x02", 1), ("0x00 0x05", 0.5), ("0x0b 0x0B", 1.1),
      ("0x00 0x00", nil), ("0x0C 0x01", nil), ("0x01 x", nil), ("10", nil), ("0x", nil),
      ("0x111111111", nil), ("-0x1", nil),
    ] as [(String, Double?)])
  func `13.10 a life time is tenths, each an upper bound`(text: String, wear: Double?) throws {
    let (phone, files) = try harness("disks-phone")
    files.write(text + "\n", to: "/sys/block/mmcblk0/device/life_time")
    let found = try phone.read(Self.flash)
    #expect(found.double("wear") == wear)
    if wear == nil {
      #expect(found.status("wear") == (text == "0x00 0x00" ? .noData : .failed))
    }
  }

  @Test(
    arguments: [("0x00", nil), ("0x01", false), ("0x02", false), ("0x03", true), ("0x04", nil)]
      as [(String, Bool?)])
  func `13.10 an eMMC fails when its end of life is urgent`(text: String, fails: Bool?) throws {
    let (phone, files) = try harness("disks-phone")
    files.write(text + "\n", to: "/sys/block/mmcblk0/device/pre_eol_info")
    #expect(try phone.read(Self.flash)["failing"]?.flag == fails)
    #expect(try phone.read("aggregate")["failing"]?.flag == (fails ?? false))
    #expect(try phone.read("aggregate")["failing"]?.isLowAccuracy == (fails == nil))
  }

  @Test func `13.10 of two parts of UFS the greater counts, and neither hides a failure`() throws {
    let (phone, files) = try harness("disks-phone")
    let folder = "/sys/devices/platform/soc/1d84000.ufshc/health_descriptor"
    files.write("0x00\n", to: "\(folder)/life_time_estimation_a")
    #expect(try phone.read(Self.ufs)["wear"] == .ok(.double(0.1)))
    files.alter("\(folder)/life_time_estimation_a", .failing(5))
    #expect(try phone.read(Self.ufs).status("wear") == .failed)
    files.alter("\(folder)/life_time_estimation_a", .missing)
    files.alter("\(folder)/life_time_estimation_b", .missing)
    #expect(try phone.read(Self.ufs).status("wear") == .unsupported)
  }

  @Test func `N6 without udev the serial number is read of the drive itself`() throws {
    let (desktop, files) = try harness("disks-desktop")
    files.alter("/run/udev/data/b8:0", .missing)
    let name = PlayedDisks.id("WDC WD40EFRX-68N", PlayedDisks.hardSerial)
    #expect(desktop.instance(alias: "sda")?.name == name)
    #expect(try desktop.read(name).text("serial") == PlayedDisks.hardSerial)
    for page in [[0, 0x83, 0, 2, 65, 66], [0, 0x80], [], [0, 0x80, 0, 3, 32, 0, 65]] as [[UInt8]] {
      files.alter("/sys/block/sda/device/vpd_pg80", .saying(page))
      #expect(desktop.instance(alias: "sda")?.name == "WDC WD40EFRX-68N.pci-0000:00:17.0")
      #expect(try desktop.read("sda")["serial"]?.hasPayload == false)
    }
  }

  @Test func `M4 each file costs its own value`() throws {
    let desktop = try machine(named: "disks-desktop")
    let identity: Set = [
      "dev", "name", "b8:0", "b8:16", "b8:32", "b252:0", "b259:0", "serial", "vpd_pg80",
    ]
    let facts = [
      "temp1_input": HostileFile(own: ["temperature"]), "size": HostileFile(own: ["size"]),
      "rotational": HostileFile(own: ["rotational"]),
      "removable": HostileFile(own: ["removable"]), "rev": HostileFile(own: ["firmware"]),
      "firmware_rev": HostileFile(own: ["firmware"]), "model": HostileFile(decidesInstance: true),
      "runtime_status": HostileFile(),
    ]
    let others = ["nvme0n1", "nvme0n2", "sdb", "sdc", "vda"].flatMap { name in
      ["device/model", "queue/rotational"].map { "/sys/block/\(name)/\($0)" }
    }
    try expectOnlyOwnValuesChange(
      Disk(), on: desktop, instance: PlayedDisks.hardName, files: facts,
      ignoring: identity.union(others))
    let phone = try machine(named: "disks-phone")
    let health = [
      "life_time": HostileFile(own: ["wear"]), "pre_eol_info": HostileFile(own: ["failing"]),
      "life_time_estimation_a": HostileFile(derived: ["wear"]),
      "life_time_estimation_b": HostileFile(derived: ["wear"]),
      "eol_info": HostileFile(own: ["failing"]), "fwrev": HostileFile(own: ["firmware"]),
      "model": HostileFile(decidesInstance: true), "name": HostileFile(decidesInstance: true),
    ].merging(facts) { $1 }
    for instance in [Self.flash, Self.ufs] {
      try expectOnlyOwnValuesChange(
        Disk(), on: phone, instance: instance, files: health,
        ignoring: ["dev", "serial", "model", "name", "vpd_pg80", "b8:0", "b179:0"])
    }
  }

  @Test func `14 the laptop has an NVMe drive at 4 %, the phone an eMMC at 20 %`() throws {
    for (device, bus, wear) in [("laptop", "nvme", 0.04), ("phone", "mmc", 0.2)] {
      let context = try Context.open(
        "sim:\(device)&clock=manual", allow: .all, mode: .host, catalogue: [Disk()])
      for row in try context.sources() {
        let values = try context.open(row.id).updateValues()
        #expect(values[Disk.Field.bus.rawValue].payload == .string(bus), "\(row.id)")
        #expect(values[Disk.Field.wear.rawValue].payload == .double(wear), "\(row.id)")
        #expect(values[Disk.Field.failing.rawValue].payload == .bool(false), "\(row.id)")
      }
      try context.close()
    }
  }

  @Test func `A5 a machine without drives says so`() throws {
    let (desktop, files) = try harness("disks-desktop")
    files.alter("/sys/block", .missing)
    let found = desktop.discover()
    #expect(found.instances.isEmpty && found.absence.state == .noHardware)
    let none = try FixtureMachine(["/sys/block/": ""])
    let empty = KindHarness(Disk(), machine: none.machine).discover()
    #expect(empty.instances.isEmpty && empty.absence.state == .noHardware)
  }
}
