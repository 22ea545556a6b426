import Gathering

extension Storage {
  static var about: KindMeaning {
    KindMeaning(
      "mounted volumes: their sizes, disks and throughput",
      from: "/proc/self/mountinfo, statvfs(3), /proc/diskstats, /sys/block, udev's database",
      instances: "the aggregate of fixed disks, then each volume, named by where it is mounted")
  }
}

extension Storage.Field {
  var meaning: Meaning {
    switch self {
    case .mountPoint: Meaning("where it is mounted", from: "mountinfo")
    case .source: Meaning("what is mounted: a device, a share or a name", from: "mountinfo")
    case .filesystem: Meaning("type of the file system", from: "mountinfo")
    case .total: Meaning("size", from: "statvfs f_blocks × f_frsize")
    case .free:
      Meaning(
        "what is free, the reserve of the superuser included", from: "statvfs f_bfree × f_frsize")
    case .available: Meaning("what users may still fill", from: "statvfs f_bavail × f_frsize")
    case .used: Meaning("what is used", from: "total − free")
    case .inodesTotal: Meaning("files it can hold", from: "statvfs f_files")
    case .inodesFree: Meaning("files it can still hold", from: "statvfs f_ffree")
    case .readOnly: Meaning("whether it is mounted read-only", from: "options in mountinfo")
    case .removable: Meaning("whether the disk can be taken out", from: "/sys/block/*/removable")
    case .rotational: Meaning("whether the disk turns", from: "/sys/block/*/queue/rotational")
    case .volumeLabel: Meaning("its label", from: "udev ID_FS_LABEL_ENC")
    case .model: Meaning("model of the disk", from: "/sys/block/*/device/model")
    case .uuid: Meaning("number of the file system", from: "udev ID_FS_UUID_ENC")
    case .readBytes: Meaning("bytes read from the device", from: "diskstats, sectors × 512")
    case .writtenBytes: Meaning("bytes written to the device", from: "diskstats, sectors × 512")
    case .readOperations: Meaning("reads that were completed", from: "diskstats")
    case .writeOperations: Meaning("writes that were completed", from: "diskstats")
    case .discardOperations:
      Meaning("discards that were completed", from: "diskstats, since Linux 4.18")
    case .flushOperations:
      Meaning("flushes that were completed", from: "diskstats, since Linux 5.5")
    case .readRate:
      Meaning("bytes read a second, between two updates", from: "difference of read_bytes")
    case .writeRate:
      Meaning("bytes written a second, between two updates", from: "difference of written_bytes")
    case .inFlight: Meaning("requests under way at present", from: "diskstats")
    case .busyTime: Meaning("time with requests under way", from: "diskstats, ms ÷ 1000")
    }
  }
}
