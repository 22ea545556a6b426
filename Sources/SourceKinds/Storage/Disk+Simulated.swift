import Gathering

extension Disk {
  /// A laptop has an NVMe drive that is hardly worn, a phone an eMMC that tells only its wear.
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let drive = "disk|Simulated%20NVMe%20512.5e1f6a0c2b47"
  private static let flash = "disk|SIM64G.a1c04b7d9e26"

  private static let laptop = """
    0 add \(drive)
    0 set \(drive)/failing false
    0 absent \(drive)/warnings noData none
    0 set \(drive)/temperature 38
    0 wave \(drive)/temperature sine 4 0.001
    0 set \(drive)/wear 0.04
    0 set \(drive)/spare 1
    0 set \(drive)/power_on_time 7567200
    0 absent \(drive)/bad_sectors unsupported only ATA drives tell
    0 set \(drive)/media_errors 0
    0 absent \(drive)/failing_attributes unsupported only ATA drives tell
    0 set \(drive)/read_total 21474836480000
    0 set \(drive)/written_total 15032385536000
    0 set \(drive)/power_cycles 812
    0 set \(drive)/unsafe_shutdowns 17
    0 set \(drive)/selftest "success"
    0 absent \(drive)/updated noData the simulation has no calendar
    0 set \(drive)/size 512110190592
    0 set \(drive)/bus "nvme"
    0 set \(drive)/model "Simulated NVMe 512"
    0 set \(drive)/firmware "1.0"
    \(fixed(drive, serial: "S1M0000000000512"))
    """

  private static let phone = """
    0 add \(flash)
    0 set \(flash)/failing false
    0 absent \(flash)/temperature unsupported nothing measures it
    0 set \(flash)/wear 0.2
    \(mute.map { "0 absent \(flash)/\($0) unsupported such a drive does not tell" }
      .joined(separator: "\n"))
    0 set \(flash)/size 62537072640
    0 set \(flash)/bus "mmc"
    0 set \(flash)/model "SIM64G"
    0 set \(flash)/firmware "0x0600000000000000"
    \(fixed(flash, serial: "0x51400001"))
    """

  private static let mute = [
    "warnings", "spare", "power_on_time", "bad_sectors", "media_errors", "failing_attributes",
    "read_total", "written_total", "power_cycles", "unsafe_shutdowns", "selftest", "updated",
  ]

  private static func fixed(_ id: String, serial: String) -> String {
    """
    0 set \(id)/rotational false
    0 set \(id)/removable false
    0 set \(id)/serial "\(serial)"
    """
  }
}
