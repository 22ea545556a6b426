import Gathering
import Machine
import Values

/// Values that kinds give as they are, and node_exporter too.
extension MetricSource {
  private static let families: [String: [String: String]] = [
    "device_metadata": ["boot_time": "node_boot_time_seconds"],
    "cpu": ["load_1": "node_load1", "load_5": "node_load5", "load_15": "node_load15"],
    "memory": [
      "total": "node_memory_MemTotal_bytes", "free": "node_memory_MemFree_bytes",
      "available": "node_memory_MemAvailable_bytes", "buffers": "node_memory_Buffers_bytes",
      "cached": "node_memory_Cached_bytes", "reclaimable": "node_memory_SReclaimable_bytes",
      "shared": "node_memory_Shmem_bytes", "dirty": "node_memory_Dirty_bytes",
      "swap_total": "node_memory_SwapTotal_bytes", "swap_free": "node_memory_SwapFree_bytes",
    ],
    "storage": [
      "total": "node_filesystem_size_bytes", "free": "node_filesystem_free_bytes",
      "available": "node_filesystem_avail_bytes", "inodes_total": "node_filesystem_files",
      "inodes_free": "node_filesystem_files_free", "read_only": "node_filesystem_readonly",
      "read_bytes": "node_disk_read_bytes_total",
      "written_bytes": "node_disk_written_bytes_total",
      "read_operations": "node_disk_reads_completed_total",
      "write_operations": "node_disk_writes_completed_total",
    ],
    // What node_exporter calls received and dropped has the missed packets in it.
    "network": [
      "state": "node_network_up", "rx_bytes": "node_network_receive_bytes_total",
      "tx_bytes": "node_network_transmit_bytes_total",
      "rx_packets": "node_network_receive_packets_total",
      "tx_packets": "node_network_transmit_packets_total",
      "rx_errors": "node_network_receive_errs_total",
      "tx_errors": "node_network_transmit_errs_total",
      "tx_dropped": "node_network_transmit_drop_total",
    ],
    "time": [
      "maximum_error": "node_timex_maxerror_seconds",
      "estimated_error": "node_timex_estimated_error_seconds",
      "tai_offset": "node_timex_tai_offset_seconds",
    ],
  ]

  /// The metrics of its values.
  var nodeValues: [NodeMetric] {
    guard let families = Self.families[kind] else { return [] }
    let labels = nodeLabels
    return goodValues.compactMap { index, key, value in
      guard let family = families[key], let number = Self.number(of: value),
        let labels = labels.first(where: { family.hasPrefix($0.families) })?.labels
      else { return nil }
      return NodeMetric(family, labels, number, of: self, at: index)
    }
  }

  private static func number(of value: Value) -> Metric.Number? {
    switch value {
    case .bool(let isSo): .int(isSo ? 1 : 0)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    // The kernel tells whole seconds.
    case .time(let moment): .int(moment / 1_000_000_000)
    // The one word that node_exporter looks for.
    case .string(let word): .int(word == "up" ? 1 : 0)
    default: nil
    }
  }

  /// The labels of families whose names begin so; none for what node_exporter of Debian leaves out.
  private var nodeLabels: [(families: String, labels: MetricLabels)] {
    switch kind {
    case "storage":
      [
        ("node_filesystem_", volumeLabels),
        ("node_disk_", countedDisk.map { MetricLabels(["device": $0]) }),
      ].compactMap { families, labels in labels.map { (families, $0) } }
    case "network": interfaceLabels
    default: [("node_", MetricLabels())]
    }
  }

  private var volumeLabels: MetricLabels? {
    guard let mountPoint = text(of: "mount_point"), let type = text(of: "filesystem"),
      !NodeExclusion.mountPoint(mountPoint), !NodeExclusion.fileSystems.contains(type)
    else { return nil }
    return MetricLabels(["device": text(of: "source"), "mountpoint": mountPoint, "fstype": type])
  }

  private var interfaceLabels: [(families: String, labels: MetricLabels)] {
    guard let name = text(of: "interface"), isListed(name, in: "/sys/class/net") else { return [] }
    // The loop has no counters there.
    let families = name == "lo" ? "node_network_up" : "node_network_"
    return [(families, MetricLabels(["device": name]))]
  }

  /// The kernel's name of the block device whose counters these are.
  private var countedDisk: String? {
    guard let index = properties.firstIndex(where: { $0.key == "read_bytes" }),
      let raw = origin?.rawValue(ofPropertyAt: index)
    else { return nil }
    let path = raw.place.split(separator: "/")
    let name: String?
    if path.last == "diskstats" {
      let words = String(decoding: raw.bytes, as: UTF8.self).split(separator: " ")
      name = words.count > 3 ? String(words[2]) : nil
    } else {
      let folder = "/" + path.dropLast().joined(separator: "/")
      let device = try? files?.canonicalPath(of: folder)
      name = device?.split(separator: "/").last.map(String.init)
    }
    return name.flatMap { NodeExclusion.disk($0) ? nil : $0 }
  }
}
