import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct StorageTests {
  private let laptop: Machine
  private let server: Machine

  init() throws {
    laptop = try machine(named: "laptop")
    server = try machine(named: "server")
  }

  @Test func `every number of a volume lands in its own property`() throws {
    let values = try KindHarness(Storage(), machine: laptop).read("/")
    #expect(values.text("mount_point") == "/")
    #expect(values.text("source") == "/dev/nvme0n1p2")
    #expect(values.text("filesystem") == "ext4")
    #expect(values.payload("total") == .int(1_000_001 * 4096))
    #expect(values.payload("free") == .int(400_003 * 4096))
    #expect(values.payload("available") == .int(350_009 * 4096))
    #expect(values.payload("used") == .int((1_000_001 - 400_003) * 4096))
    #expect(values.payload("inodes_total") == .int(65007))
    #expect(values.payload("inodes_free") == .int(60011))
    #expect(values.payload("read_only") == .bool(false))
    #expect(values.payload("removable") == .bool(false))
    #expect(values.payload("rotational") == .bool(false))
    #expect(values.text("volume_label") == "My Root")
    #expect(values.text("model") == "SAMSUNG MZVL21T0HCLR-00BL7")
    #expect(values.text("uuid") == "1b1b-22")
    #expect(values.payload("read_bytes") == .int(203 * 512))
    #expect(values.payload("written_bytes") == .int(207 * 512))
    #expect(values.payload("read_operations") == .int(201))
    #expect(values.payload("write_operations") == .int(205))
    #expect(values.payload("discard_operations") == .int(212))
    #expect(values.payload("flush_operations") == .int(216))
    #expect(values.payload("in_flight") == .int(209))
    #expect(values.payload("busy_time") == .double(0.21))
    #expect(values.reason("write_rate") == "needs two readings")
  }

  @Test func `volumes are what stores something, once a file system`() {
    let found = KindHarness(Storage(), machine: laptop).discover().instances
    #expect(
      found.map(\.name) == [
        "aggregate", "/", "/boot/efi", "/media/My Stick", "/run", "/snap/core",
      ])
    #expect(found.filter(\.isMember).map(\.name) == ["/", "/boot/efi"])
  }

  @Test func `old kernels count less, and vfat counts no inodes`() throws {
    let values = try KindHarness(Storage(), machine: laptop).read("/media/My Stick")
    #expect(values.payload("removable") == .bool(true))
    #expect(values.payload("read_bytes") == .int(53 * 512))
    #expect(values.payload("busy_time") == .double(6))
    #expect(values.status("discard_operations") == .unsupported)
    #expect(values.status("inodes_total") == .unsupported)
    #expect(values.status("volume_label") == .unsupported)
    let boot = try KindHarness(Storage(), machine: laptop).read("/boot/efi")
    #expect(boot.payload("discard_operations") == .int(42))
    #expect(boot.status("flush_operations") == .unsupported)
  }

  @Test func `the aggregate sums fixed writable volumes`() throws {
    let values = try KindHarness(Storage(), machine: laptop).read("aggregate")
    #expect(values.payload("total") == .int(1_000_001 * 4096 + 1022 * 512))
    #expect(values.payload("used") == .int(599_998 * 4096 + 122 * 512))
    #expect(values.payload("read_bytes") == .int((203 + 33) * 512))
    #expect(values.status("mount_point") == .noData)
    #expect(values.payload("rotational") == .bool(false))
  }

  @Test func `of a pool the largest data set counts, of a container the root`() throws {
    let found = KindHarness(Storage(), machine: server).discover().instances
    #expect(found.map(\.name) == ["aggregate", "/", "/data", "/net", "/tank", "/tank/a"])
    #expect(found.filter(\.isMember).map(\.name) == ["/", "/data", "/tank"])
    let container = KindHarness(Storage(), machine: try machine(named: "container")).discover()
    #expect(container.instances.filter(\.isMember).map(\.name) == ["/"])
  }

  @Test func `btrfs is found by its source, a logical volume by its number`() throws {
    let harness = KindHarness(Storage(), machine: server)
    let data = try harness.read("/data")
    #expect(data.payload("read_operations") == .int(11))
    #expect(data.text("model") == "ST4000")
    #expect(data.payload("rotational") == .bool(true))
    let root = try harness.read("/")
    #expect(root.payload("read_only") == .bool(true))
    #expect(root.payload("write_operations") == .int(35))
    #expect(try harness.read("/net").status("read_bytes") == .unsupported)
  }

  @Test func `a mount point without a statvfs line keeps its place (C3)`() throws {
    let files = AlteredFiles(over: laptop.files)
    files.write("27 1 259:2 / /other rw - ext4 /dev/nvme0n1p2 rw\n", to: MountTable.path)
    let values = try KindHarness(Storage(), machine: laptop.with(files: files)).read("/other")
    for key in ["total", "free", "available", "used", "inodes_total"] {
      #expect(values.status(key) == .unsupported, "\(key)")
    }
    #expect(values.payload("read_operations") == .int(201))
  }

  @Test func `a hostile file costs its own value alone (M4, V5)`() throws {
    let counters = [
      "read_bytes", "written_bytes", "read_operations", "write_operations", "discard_operations",
      "flush_operations", "in_flight", "busy_time",
    ]
    let disk = "/sys/block/nvme0n1"
    let files: [String: HostileFile] = [
      "mountinfo": HostileFile(
        derived: Storage.table.map(\.key), decidesInstance: true),
      "diskstats": HostileFile(derived: counters),
      "\(disk)/removable": HostileFile(own: ["removable"]),
      "rotational": HostileFile(own: ["rotational"]), "model": HostileFile(own: ["model"]),
      "b259:2": HostileFile(own: [], derived: ["volume_label", "uuid"]),
      "dev": HostileFile(
        derived: counters + ["removable", "rotational", "model", "volume_label", "uuid"]),
      "partition": HostileFile(), "/sys/block/loop3/removable": HostileFile(),
      "/sys/block/sdb/removable": HostileFile(),
    ]
    try expectOnlyOwnValuesChange(Storage(), on: laptop, instance: "/", files: files)
  }
}

@Suite struct VolumeSizesTests {
  /// File sizes that are answered only when the gate opens.
  private final class SlowFiles: FileTree {
    let asked = Lock(0)
    let gate = Monitor(false)

    func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
      asked.withLock { $0 += 1 }
      _ = gate.wait { $0 ? true : nil }
      return FileSystemStatistics(
        blockSize: 10, blocks: 7, blocksFree: 3, blocksAvailable: 2, inodes: 5, inodesFree: 4)
    }

    func open(_ path: String) throws(SystemError) -> any OpenFile { throw SystemError(2, at: path) }
    func entries(of path: String) throws(SystemError) -> [String] { throw SystemError(2, at: path) }
    func canonicalPath(of path: String) throws(SystemError) -> String { path }
    func linkTarget(of path: String) throws(SystemError) -> String {
      throw SystemError(2, at: path)
    }
    func set(open: Bool) {
      gate.withLock { $0 = open }
      gate.signalAll()
    }
  }

  private final class SettableClock: TimeSource {
    let boot = Lock<Int64>(0)
    var now: Instant { boot.withLock { Instant(boot: $0, realtime: $0) } }
    func set(seconds: Int64) { boot.withLock { $0 = seconds * 1_000_000_000 } }
  }

  private struct NoSwitches: SwitchReader {
    func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64 { 0 }
  }

  @Test func `A4 a record that udev writes later is found, and one it writes anew`() throws {
    let path = "/run/udev/data/b8:1"
    let fixture = try FixtureMachine()
    let record = UdevRecord(ofBlockDevice: "8:1", in: fixture.machine.files)
    #expect(record.value(of: .fileSystemLabel).outcome.status == .unsupported)
    try fixture.write("E:ID_FS_TYPE=ext4\n", to: path)
    #expect(record.value(of: .fileSystemLabel).outcome.status == .unsupported)
    try fixture.remove(path)
    try fixture.write("E:ID_FS_LABEL_ENC=my\\x20disk\n", to: path)
    #expect(record.value(of: .fileSystemLabel).outcome == .ok(.string("my disk")))
    // What it said stands.
    try fixture.remove(path)
    #expect(record.value(of: .fileSystemLabel).outcome == .ok(.string("my disk")))
  }

  @Test func `A4 what a record does not have is looked for once a second, or every time`() throws {
    let second: Int64 = 1_000_000_000
    let fixture = try FixtureMachine()
    let record = UdevRecord(ofBlockDevice: "8:1", in: fixture.machine.files)
    #expect(record.outcome(of: .fileSystemLabel, at: 5).outcome.status == .unsupported)
    try fixture.write("E:ID_FS_LABEL_ENC=disk\n", to: "/run/udev/data/b8:1")
    #expect(record.outcome(of: .fileSystemLabel, at: second).outcome.status == .unsupported)
    #expect(record.outcome(of: .fileSystemLabel, at: second + 6).outcome == .ok(.string("disk")))
    #expect(record.outcome(of: .fileSystemIdentifier, at: .max).outcome.status == .unsupported)
    try fixture.write("E:ID_FS_UUID_ENC=1\n", to: "/run/udev/data/b8:1")
    #expect(record.outcome(of: .fileSystemIdentifier, at: .max).outcome == .ok(.string("1")))
  }

  @Test func `a dead mount makes sizes stale after 2 s, with one call out (T7)`() throws {
    let files = SlowFiles()
    let clock = SettableClock()
    let machine = Machine(
      nature: .live, files: files, notices: nil, clock: clock, switches: NoSwitches(),
      addresses: nil)
    let volume = VolumeSizes(of: "/net", isRemote: true, on: machine)
    files.set(open: true)
    // The gate is open: the answer comes as soon as the worker runs.
    let sizes = try #require(fresh(volume.ask(waiting: 60_000_000_000)))
    #expect(sizes.blocks == 7)
    files.set(open: false)
    clock.set(seconds: 10)
    #expect(volume.ask(waiting: 0) == .fresh(sizes))
    clock.set(seconds: 11)
    #expect(volume.ask(waiting: 0) == .fresh(sizes))
    clock.set(seconds: 12)
    #expect(volume.ask(waiting: 0) == .old(sizes))
    files.set(open: true)
    #expect(volume.ask(waiting: 60_000_000_000) != .late)
    #expect(files.asked.withLock { $0 } <= 3)
  }

  private func fresh(_ answer: VolumeSizes.Status) -> FileSystemStatistics? {
    if case .fresh(let sizes) = answer { sizes } else { nil }
  }

  @Test func `a mount that never answered says so, then fails`() {
    let files = SlowFiles()
    let clock = SettableClock()
    let machine = Machine(
      nature: .live, files: files, notices: nil, clock: clock, switches: NoSwitches(),
      addresses: nil)
    let volume = VolumeSizes(of: "/net", isRemote: true, on: machine)
    #expect(volume.ask(waiting: 0) == .waiting)
    clock.set(seconds: 2)
    #expect(volume.ask(waiting: 0) == .late)
    files.set(open: true)
  }
}
