import Gathering

extension Disk {
  static var about: KindMeaning {
    KindMeaning(
      "drives: health, wear, temperature and what they are",
      from: "udisks on D-Bus, hwmon of the drive, life time of eMMC and UFS, /sys/block",
      instances: "the aggregate, then the drives, named by model and a digest of the serial")
  }
}

extension Disk.Field {
  var meaning: Meaning {
    switch self {
    case .failing:
      Meaning(
        "whether the drive says that it fails",
        from: "Ata.SmartFailing; NVMe SmartCriticalWarning; pre-end-of-life 3 of eMMC, UFS")
    case .warnings: Meaning("what an NVMe drive warns of", from: "NVMe SmartCriticalWarning")
    case .temperature:
      Meaning("its temperature", from: "SmartTemperature − 273.15; hwmon temp1_input ÷ 1000")
    case .wear:
      Meaning(
        "how much of its life is used; of eMMC and UFS an upper bound",
        from: "NVMe percent_used ÷ 100; the greater of life time A and B × 0.1")
    case .spare: Meaning("spare blocks that are left", from: "NVMe avail_spare ÷ 100")
    case .powerOnTime:
      Meaning("how long it has been on", from: "SmartPowerOnSeconds; SmartPowerOnHours × 3600")
    case .badSectors: Meaning("sectors that are bad", from: "Ata.SmartNumBadSectors")
    case .mediaErrors: Meaning("errors of its medium", from: "NVMe media_errors")
    case .failingAttributes:
      Meaning("attributes beyond their threshold", from: "Ata.SmartNumAttributesFailing")
    case .readTotal: Meaning("bytes read in all its life", from: "NVMe total_data_read")
    case .writtenTotal: Meaning("bytes written in all its life", from: "NVMe total_data_written")
    case .powerCycles: Meaning("how often it was switched on", from: "NVMe power_cycles")
    case .unsafeShutdowns:
      Meaning("how often it lost power without notice", from: "NVMe unsafe_shutdowns")
    case .selftest: Meaning("how its last self-test ended", from: "SmartSelftestStatus")
    case .updated: Meaning("when udisks last read its health", from: "SmartUpdated")
    case .size: Meaning("size", from: "/sys/block/*/size × 512")
    case .rotational: Meaning("whether it turns", from: "/sys/block/*/queue/rotational")
    case .removable: Meaning("whether it can be taken out", from: "/sys/block/*/removable")
    case .bus: Meaning("what it is attached to", from: "path of the device in /sys")
    case .model: Meaning("model", from: "Drive.Model; device/model; udev ID_MODEL_ENC")
    case .firmware:
      Meaning("revision of its firmware", from: "Drive.Revision; device/firmware_rev, rev, fwrev")
    case .serial: Meaning("serial number", from: "Drive.Serial; device/serial; udev; vpd_pg80")
    }
  }
}
