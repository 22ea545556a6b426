import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// `disk` with a udisks that reports nonsense: each lie costs its own value (sources V5).
@Suite struct LyingDiskDaemonTests {
  private static let lies: [BusValue?] = [
    nil, .double(.nan), .double(.infinity), .double(-1e300), .array(of: "s", []), .int64(.min),
    .uint64(.max), .string(""), .variant(.variant(.path("/"))), .descriptor, .structure([]),
    .dictionary(of: "sv", []), .bytes([0xFF]), .uint16(65535),
  ]

  /// The properties that may change with each fact.
  private static let told: [String: Set<String>] = [
    "SmartFailing": ["failing"], "SmartTemperature": ["temperature"],
    "SmartPowerOnSeconds": ["power_on_time"], "SmartPowerOnHours": ["power_on_time"],
    "SmartNumBadSectors": ["bad_sectors"], "SmartNumAttributesFailing": ["failing_attributes"],
    "SmartSelftestStatus": ["selftest"], "SmartUpdated": ["updated"], "SmartSupported": [],
    "SmartEnabled": [], "SmartCriticalWarning": ["failing", "warnings"],
  ]

  @Test(arguments: told.keys.sorted())
  func `V5 a property of another type costs its value only`(name: String) throws {
    for (drive, disk) in [(PlayedDisks.hard, "sda"), (PlayedDisks.fast, "nvme0n1")] {
      let usual = try PlayedDisks().read(disk)
      for lie in Self.lies {
        let disks = try PlayedDisks()
        disks.set(drive, [name: lie])
        for (key, outcome) in try disks.read(disk) where outcome != usual[key] {
          #expect(Self.told[name]?.contains(key) == true, "\(disk) \(name): \(key)")
          let isNumber = key == "power_on_time" && outcome.number == 65535 * 3600
          let isCount = outcome.integer == 65535 || outcome.number == 65535
          let isTime = key == "updated" && outcome.value == .time(65_535_000_000_000)
          let isWarning = outcome == .ok(.bool(true)) && name == "SmartCriticalWarning"
          let isTold = isNumber || isCount || isTime || isWarning
          #expect(!outcome.hasPayload || isTold, "\(disk) \(name): \(key) \(outcome)")
        }
      }
    }
  }

  @Test(arguments: PlayedDisks.attributes.keys.sorted())
  func `V5 an attribute of another type costs its value only`(name: String) throws {
    let keys = [
      "percent_used": "wear", "avail_spare": "spare", "media_errors": "media_errors",
      "total_data_read": "read_total", "total_data_written": "written_total",
      "power_cycles": "power_cycles", "unsafe_shutdowns": "unsafe_shutdowns",
    ]
    let usual = try PlayedDisks().read("nvme0n1")
    for lie in Self.lies {
      let disks = try PlayedDisks()
      disks.answer(PlayedDisks.attributes.merging(lie.map { [name: $0] } ?? [:]) { $1 })
      for (key, outcome) in try disks.read("nvme0n1") where outcome != usual[key] {
        #expect(key == keys[name], "\(name): \(key)")
        #expect(!outcome.hasPayload || outcome.integer == 65535, "\(name): \(key) \(outcome)")
      }
    }
  }

  @Test(
    arguments: [
      [], [.string("x")], [.dictionary(of: "uv", [BusPair(.uint32(1), .variant(.byte(1)))])],
      [.array(of: "s", [.string("wear")])], [.dictionary(of: "sv", [])],
    ] as [[BusValue]])
  func `V5 an answer of another form costs what is in it`(answer: [BusValue]) throws {
    let disks = try PlayedDisks()
    disks.bus.answer("SmartGetAttributes", with: .success(answer))
    let fast = try disks.read("nvme0n1")
    for key in ["wear", "spare", "media_errors", "read_total", "power_cycles"] {
      #expect(fast.status(key) == .noData, "\(key)")
    }
    #expect(fast["failing"] == .ok(.bool(false)) && fast["temperature"] == .ok(.double(36.85)))
  }

  @Test func `V5 a daemon that does not answer costs no more than its time`() throws {
    let disks = try PlayedDisks()
    disks.bus.answer(
      "SmartGetAttributes", with: .failure(.timedOut(PlayedDisks.name)))
    let fast = try disks.read("nvme0n1")
    #expect(fast.status("wear") == .failed && fast["wear"]?.absence?.errno == 110)
    #expect(fast["failing"] == .ok(.bool(false)))
  }

  @Test func `blocks and drives that lead nowhere are no drives`() throws {
    let disks = try PlayedDisks()
    let block = "\(PlayedDisks.name).Block"
    for (number, device, drive) in [
      (1, BusValue.string("/dev/sdx"), BusValue.path(PlayedDisks.hard)),
      (2, .bytes([]), .path(PlayedDisks.hard)), (3, .bytes([0]), .path(PlayedDisks.hard)),
      (4, .bytes(Array("sdx".utf8)), .path(PlayedDisks.hard)),
      (5, .bytes(Array("/dev/sdy".utf8)), .string(PlayedDisks.hard)),
      (6, .bytes(Array("/dev/sdz".utf8)), .path("/nowhere")),
      (7, .bytes(Array("/dev/".utf8)), .path(PlayedDisks.hard)),
    ] {
      disks.bus.set(
        PlayedDisks.name, "\(PlayedDisks.root)/block_devices/odd\(number)", block,
        ["Device": device, "Drive": drive])
    }
    #expect(KindHarness(Disk(), machine: disks.machine).names.count == 4)
    // A drive that tells nothing of itself is known by its disk.
    disks.bus.set(
      PlayedDisks.name, PlayedDisks.stick, "\(PlayedDisks.name).Drive",
      ["Model": .uint32(7), "Serial": nil])
    #expect(KindHarness(Disk(), machine: disks.machine).names.last == "sdu")
  }
}
