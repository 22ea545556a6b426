import Gathering

extension Storage {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    \(volume(
      "storage|%2F", at: "/", total: 105_089_261_568, free: 61_203_283_968, read: 180_000,
      written: 90_000))
    0 set storage|%2F/source "/dev/nvme0n1p2"
    0 set storage|%2F/volume_label "system"
    0 set storage|%2F/model "Simulated NVMe 512"
    0 set storage|%2F/uuid "6f1c0b1e-5a52-4f0e-9d5b-2f5b8e1f0a01"
    \(volume(
      "storage|%2Fhome", at: "/home", total: 393_918_877_696, free: 203_928_109_056,
      read: 60_000, written: 40_000))
    0 set storage|%2Fhome/source "/dev/nvme0n1p3"
    0 set storage|%2Fhome/volume_label "home"
    0 set storage|%2Fhome/model "Simulated NVMe 512"
    0 set storage|%2Fhome/uuid "6f1c0b1e-5a52-4f0e-9d5b-2f5b8e1f0a02"
    """

  private static let phone = """
    \(volume(
      "storage|%2F", at: "/", total: 30_601_641_984, free: 18_253_611_008, read: 40_000,
      written: 20_000))
    0 set storage|%2F/source "/dev/mmcblk2p2"
    0 set storage|%2F/volume_label "phone"
    0 set storage|%2F/model "Simulated eMMC"
    0 set storage|%2F/uuid "8d0a6c52-7be1-4b9f-a0e3-55c1b7a9d301"
    """

  /// A file system on a solid-state disk, with its traffic in bytes a second.
  private static func volume(
    _ id: String, at mountPoint: String, total: Int, free: Int, read: Int, written: Int
  ) -> String {
    """
    0 add \(id)
    0 set \(id)/mount_point "\(mountPoint)"
    0 set \(id)/filesystem "ext4"
    0 set \(id)/total \(total)
    0 set \(id)/free \(free)
    0 set \(id)/available \(free - total / 20)
    0 set \(id)/inodes_total \(total / 16384)
    0 set \(id)/inodes_free \(free / 16384)
    0 set \(id)/read_only false
    0 set \(id)/removable false
    0 set \(id)/rotational false
    \(SimulatedCounter.lines("\(id)/read_bytes", by: read))
    \(SimulatedCounter.lines("\(id)/written_bytes", by: written))
    \(SimulatedCounter.lines("\(id)/read_operations", by: max(read / 20_000, 1)))
    \(SimulatedCounter.lines("\(id)/write_operations", by: max(written / 20_000, 1)))
    0 set \(id)/discard_operations 1200
    0 set \(id)/flush_operations 5300
    0 set \(id)/in_flight 1
    0 wave \(id)/in_flight noise 1 1
    0 set \(id)/busy_time 500120
    0 wave \(id)/busy_time ramp 500000 0.00000001
    """
  }
}
