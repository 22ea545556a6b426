import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// `disk` on a bus on which udisks is played (catalogue 13.10).
@Suite struct DiskDaemonTests {
  @Test func `every field of an ATA drive comes from its property`() throws {
    let disks = try PlayedDisks(version: "2.9.4")
    let hard = try disks.read("sda")
    let payloads: [String: Payload] = [
      "failing": .bool(false), "temperature": .double(33), "power_on_time": .double(36_000),
      "bad_sectors": .int(8), "failing_attributes": .int(1), "selftest": .string("success"),
      "updated": .time(1_700_000_000_000_000_000), "size": .int(4096), "rotational": .bool(false),
      "removable": .bool(false), "bus": .string("ata"), "model": .string("WDC WD40EFRX-68N32N0"),
      "firmware": .string("82.00A82"), "serial": .string(PlayedDisks.hardSerial),
    ]
    for (key, outcome) in hard {
      if let payload = payloads[key] {
        #expect(outcome == .ok(payload), "\(key)")
      } else {
        #expect(outcome.absence?.reason == "only NVMe drives tell", "\(key)")
        #expect(outcome.status == .unsupported, "\(key)")
      }
    }
    let harness = KindHarness(Disk(), machine: disks.machine)
    for (key, name) in [
      ("failing", "Drive.Ata.SmartFailing"), ("temperature", "Drive.Ata.SmartTemperature"),
      ("serial", "Drive.Serial"), ("size", "Drive.Size"),
    ] {
      #expect(try harness.raw("sda", key)?.place == "\(PlayedDisks.name).\(name)")
    }
    #expect(disks.bus.calls.isEmpty)
  }

  @Test func `every field of an NVMe drive comes from its property or attribute`() throws {
    let disks = try PlayedDisks()
    let fast = try disks.read("nvme0n1")
    let payloads: [String: Payload] = [
      "failing": .bool(false), "temperature": .double(36.85), "wear": .double(0.04),
      "spare": .double(1), "power_on_time": .double(360_000), "media_errors": .int(0),
      "read_total": .int(1_000_000), "written_total": .int(2_000_000), "power_cycles": .int(30),
      "unsafe_shutdowns": .int(5), "selftest": .string("success"),
      "updated": .time(1_700_000_000_000_000_000), "bus": .string("nvme"),
    ]
    for (key, payload) in payloads { #expect(fast[key] == .ok(payload), "\(key)") }
    #expect(fast.reason("warnings") == "none" && fast.status("warnings") == .noData)
    for key in ["bad_sectors", "failing_attributes"] {
      #expect(fast.reason(key) == "only ATA drives tell")
    }
    let place = try KindHarness(Disk(), machine: disks.machine).raw("nvme0n1", "wear")?.place
    #expect(place == "\(PlayedDisks.name).NVMe.Controller.SmartGetAttributes percent_used")
    disks.set(
      PlayedDisks.fast,
      ["SmartCriticalWarning": .array(of: "s", [.string("spare"), .string("readonly")])])
    let worse = try disks.read("nvme0n1")
    #expect(worse["failing"] == .ok(.bool(true)))
    #expect(worse["warnings"] == .ok(.string("spare readonly")))
    #expect(disks.bus.calls.allSatisfy { $0.member == "SmartGetAttributes" })
    #expect(disks.bus.calls.allSatisfy { $0.path == PlayedDisks.fast })
  }

  @Test func `13.10 udisks 2.9 says what a newer one would tell`() throws {
    let disks = try PlayedDisks("disks-desktop", version: "2.9.4")
    let fast = try disks.read("nvme0n1")
    for key in ["failing", "warnings", "wear", "spare", "power_on_time", "updated"] {
      #expect(fast.status(key) == .unsupported, "\(key)")
      #expect(fast.reason(key) == "udisks 2.10 would tell", "\(key)")
      #expect(fast[key]?.absence?.remedy == "install a newer udisks2", "\(key)")
    }
    #expect(fast["temperature"] == .ok(.double(36.85)))
    #expect(fast.reason("bad_sectors") == "only ATA drives tell")
    // It has underscores for spaces in the model of an NVMe drive.
    disks.bus.set(
      PlayedDisks.name, PlayedDisks.fast, "\(PlayedDisks.name).Drive",
      ["Model": .string("Samsung_SSD_980_PRO_1TB"), "Revision": .string("")])
    #expect(try disks.read("nvme0n1").text("model") == "Samsung SSD 980 PRO 1TB")
    #expect(try disks.read("nvme0n1").text("firmware") == "5B2QGXA7")
    #expect(disks.bus.calls.isEmpty)
    for version in ["2.10.0", "2.11", "3.0.0", "", "x.y"] {
      let newer = try PlayedDisks("disks-desktop", version: "2.9.4")
      newer.bus.set(
        PlayedDisks.name, "\(PlayedDisks.root)/Manager", "\(PlayedDisks.name).Manager",
        ["Version": .string(version)])
      #expect(try newer.read("nvme0n1").reason("wear") == "udisks has no health of the drive")
    }
  }

  @Test func `N6 H3 a drive is one instance of one name, whether udisks runs or not`() throws {
    let disks = try PlayedDisks("disks-desktop")
    let harness = KindHarness(Disk(), machine: disks.machine)
    let seen = harness.names
    // What udisks alone has comes last; the optical drive and the partition are none.
    #expect(seen.last == PlayedDisks.id("Flash Disk", "0815"))
    #expect(seen.count == 7 && seen[1...2] == [PlayedDisks.fastName, PlayedDisks.hardName])
    #expect(harness.instance(PlayedDisks.hardName)?.availability.backend == "UDisks2")
    #expect(harness.instance(alias: "sdb")?.availability.remedy == "")
    disks.bus.fail(PlayedDisks.name, with: FixtureBus.notRunning(PlayedDisks.name))
    #expect(harness.names == Array(seen.dropLast()))
    #expect(harness.instance(PlayedDisks.hardName)?.availability.backend == "sysfs")
    #expect(harness.instance(PlayedDisks.hardName)?.availability.remedy == "install udisks2")
    let hard = try disks.read("sda")
    #expect(hard["failing"]?.absence?.remedy == "install udisks2")
    #expect(hard["temperature"] == .ok(.double(31)))
    #expect(hard.text("model") == "WDC WD40EFRX-68N32N0")
    let bare = try PlayedDisks()
    let names = KindHarness(Disk(), machine: bare.machine).names
    #expect(
      names == [
        "aggregate", PlayedDisks.fastName, PlayedDisks.hardName,
        PlayedDisks.id("Flash Disk", "0815"),
      ])
  }

  @Test func `13.10 what was not read yet is no value, and the chip speaks for the heat`() throws {
    let disks = try PlayedDisks("disks-desktop")
    for (drive, disk, celsius) in [
      (PlayedDisks.hard, "sda", 31), (PlayedDisks.fast, "nvme0n1", 36.85),
    ] {
      disks.set(drive, ["SmartUpdated": .uint64(0)])
      let values = try disks.read(disk)
      for key in ["failing", "power_on_time", "selftest", "updated"] {
        #expect(values.reason(key) == "not read yet", "\(disk) \(key)")
        #expect(values.status(key) == .noData, "\(disk) \(key)")
      }
      #expect(values["temperature"] == .ok(.double(celsius)))
    }
    #expect(try disks.read("nvme0n1").reason("wear") == "not read yet")
    #expect(disks.bus.calls.isEmpty)
    for (name, part) in [("SmartEnabled", "switched off"), ("SmartSupported", "asleep")] {
      disks.set(PlayedDisks.hard, [name: .bool(false)])
      let failing = try disks.read("sda")["failing"]
      #expect(failing?.status == .noData)
      #expect(failing?.absence?.reason.contains(part) == true, "\(name)")
    }
  }

  @Test(
    arguments: [
      ("SmartTemperature", "temperature", .double(0)),
      ("SmartPowerOnSeconds", "power_on_time", .uint64(0)),
      ("SmartNumBadSectors", "bad_sectors", .int64(-1)),
      ("SmartNumAttributesFailing", "failing_attributes", .int32(-1)),
      ("SmartSelftestStatus", "selftest", .string("")),
    ] as [(String, String, BusValue)])
  func `V6 what stands for nothing is nothing`(name: String, key: String, value: BusValue) throws {
    let disks = try PlayedDisks()
    disks.set(PlayedDisks.hard, [name: value])
    #expect(try disks.read("sda").status(key) == .noData)
  }

  @Test func `13.10 a temperature older than two hours is stale, and the rest keeps`() throws {
    let now = VirtualTime.realtimeAtBoot / 1_000_000_000
    for (age, status) in [(7199, ValueStatus.ok), (7201, .stale), (-5000, .ok)] {
      let disks = try PlayedDisks(version: "2.9.4")
      disks.set(PlayedDisks.hard, ["SmartUpdated": .uint64(UInt64(Int64(age) * -1 + now))])
      let context = try Context.open(
        on: disks.machine, loop: VirtualLoop(clock: VirtualTime()), allow: .all,
        catalogue: [Disk()])
      let values = try context.open("disk|sda").updateValues()
      let temperature = values[Disk.Field.temperature.rawValue]
      #expect(temperature.status == status, "\(age) s")
      #expect(temperature.value == .double(33), "\(age) s")
      #expect(values[Disk.Field.failing.rawValue].payload == .bool(false), "\(age) s")
      #expect(values[Disk.Field.badSectors.rawValue].payload == .int(8), "\(age) s")
      try context.close()
    }
  }

  @Test func `13.10 all drives as one: the worst, and sums of what went wrong`() throws {
    let disks = try PlayedDisks()
    let all = try disks.read("aggregate")
    #expect(all["failing"] == .ok(.bool(false)))
    #expect(all["temperature"] == .ok(.double(36.85)) && all["wear"] == .ok(.double(0.04)))
    #expect(all["bad_sectors"] == .ok(.int(8), lowAccuracy: true))
    #expect(all["media_errors"] == .ok(.int(0), lowAccuracy: true))
    for key in ["model", "serial", "size", "spare", "selftest", "updated"] {
      #expect(all.reason(key) == "several drives", "\(key)")
    }
    disks.set(PlayedDisks.hard, ["SmartFailing": .bool(true)])
    #expect(try disks.read("aggregate")["failing"] == .ok(.bool(true)))
    disks.set(PlayedDisks.hard, ["SmartFailing": .string("?"), "SmartNumBadSectors": .int64(-1)])
    let holed = try disks.read("aggregate")
    #expect(holed["failing"] == .ok(.bool(false), lowAccuracy: true))
    #expect(holed.status("bad_sectors") == .noData)
  }

  @Test func `13.10 the daemon's copy is asked for once for each time it was read`() throws {
    let disks = try PlayedDisks()
    let kind = Disk()
    let instance = try #require(
      kind.discover(on: disks.machine).instances.first { $0.name == PlayedDisks.fastName })
    let reader = try #require(try kind.open(instance, on: disks.machine))
    var reading = Reading(properties: kind.properties.count)
    let asked = { (count: Int) in
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      #expect(disks.bus.calls.count == count)
    }
    asked(1)
    asked(1)
    disks.set(PlayedDisks.fast, ["SmartUpdated": .uint64(PlayedDisks.read + 600)])
    asked(2)
    disks.bus.answer(
      "SmartGetAttributes", with: .failure(BusFailure(.accessDenied, message: "no")))
    disks.set(PlayedDisks.fast, ["SmartUpdated": .uint64(PlayedDisks.read + 1200)])
    asked(3)
    #expect(reading[Disk.Field.wear].status == .permission)
    #expect(reading[Disk.Field.failing] == .ok(.bool(false)))
    // What failed is asked for again.
    disks.answer(PlayedDisks.attributes)
    asked(4)
    #expect(reading[Disk.Field.wear] == .ok(.double(0.04)))
  }

  @Test func `13.10 a drive of udisks' alone is on the bus that udisks tells`() throws {
    let disks = try PlayedDisks()
    for (word, bus) in [("usb", "usb"), ("sdio", "mmc"), ("", nil), ("ieee1394", nil)] {
      disks.bus.set(
        PlayedDisks.name, PlayedDisks.stick, "\(PlayedDisks.name).Drive",
        ["ConnectionBus": .string(word)])
      #expect(try disks.read("sdu").text("bus") == bus, "\(word)")
    }
    #expect(try disks.read("sdu").reason("size") == "there is no medium")
  }

  @Test func `P1 P4 without leave no serial number is told, by any way`() throws {
    let disks = try PlayedDisks()
    let context = try Context.open(
      on: disks.machine, loop: VirtualLoop(clock: VirtualTime()), allow: .none,
      catalogue: [Disk()])
    // Errors name the object, which is named by the number.
    disks.bus.answer(
      "SmartGetAttributes",
      with: .failure(BusFailure(.noObject, message: "no \(PlayedDisks.fast)")))
    for row in try context.sources() {
      let values = try context.open(row.id).updateValues()
      #expect(values[Disk.Field.serial.rawValue].status == .permission, "\(row.id)")
    }
    let told = try Revelations(of: context)
    for serial in [PlayedDisks.hardSerial, PlayedDisks.fastSerial] {
      #expect(told.lines(with: [serial.lowercased()]).isEmpty)
    }
    try context.close()
    #expect(disks.bus.watchCount(of: PlayedDisks.name) == 0)
  }
}
