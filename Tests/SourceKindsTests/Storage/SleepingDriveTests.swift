import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// A drive that sleeps is not woken (catalogue G1).
@Suite struct SleepingDriveTests {
  private static let hard =
    "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0"
  private static let slot = "/sys/devices/pci0000:00/0000:00:1d.0/0000:02:00.0"
  private static let host = "/sys/devices/platform/soc/1d84000.ufshc"

  @Test(
    arguments: [
      ("disks-desktop", "sda", hard, "temp1_input", ["temperature"]),
      ("disks-desktop", "nvme0n1", slot, "temp1_input", ["temperature"]),
      ("disks-phone", "sda", host, "health_descriptor", ["wear", "failing"]),
    ])
  func `G1 nothing is read of a drive that sleeps, and what it is keeps`(
    tree: String, disk: String, folder: String, part: String, keys: [String]
  ) throws {
    let usual = try KindHarness(Disk(), machine: machine(named: tree)).read(disk)
    for word in ["suspended", "suspending", "resuming"] {
      let plain = try machine(named: tree)
      let files = AlteredFiles(over: plain.files)
      files.write("\(word)\n", to: "\(folder)/power/runtime_status")
      let found = try KindHarness(Disk(), machine: plain.with(files: files)).read(disk)
      for (key, outcome) in found {
        if keys.contains(key) {
          #expect(outcome == .noData("asleep"), "\(word) \(key)")
        } else {
          #expect(outcome == usual[key], "\(word) \(key)")
        }
      }
      #expect(files.filesRead.filter { $0.contains(part) } == [], "\(word)")
    }
    for word in ["active", "unsupported", "error", ""] {
      let plain = try machine(named: tree)
      let files = AlteredFiles(over: plain.files)
      files.write("\(word)\n", to: "\(folder)/power/runtime_status")
      let found = try KindHarness(Disk(), machine: plain.with(files: files)).read(disk)
      for key in keys { #expect(found[key]?.hasPayload == true, "\(word) \(key)") }
    }
  }

  @Test func `G1 what the kernel remembers of an eMMC wakes nothing`() throws {
    let phone = KindHarness(Disk(), machine: try machine(named: "disks-phone"))
    #expect(try phone.read("mmcblk0")["wear"] == .ok(.double(0.3)))
  }

  @Test func `G1 what udisks was told is no reading of the drive`() throws {
    let disks = try PlayedDisks("disks-desktop")
    let files = AlteredFiles(over: disks.machine.files)
    files.write("suspended\n", to: "\(Self.hard)/power/runtime_status")
    let machine = Machine(
      nature: .captured, files: files, notices: nil, clock: disks.machine.clock,
      switches: disks.machine.switches, addresses: nil, iio: disks.machine.iio, bus: disks.bus)
    let hard = try KindHarness(Disk(), machine: machine).read("sda")
    #expect(hard["temperature"] == .ok(.double(33)) && hard["bad_sectors"] == .ok(.int(8)))
  }
}
