import Gathering
import Machine
import Values

/// Mounted volumes: their sizes, disks and throughput.
struct Storage: CatalogueKind {
  enum Field: Int, PropertyField {
    case mountPoint, source, filesystem, total, free, available, used, inodesTotal, inodesFree
    case readOnly, removable, rotational, volumeLabel, model, uuid
    case readBytes, writtenBytes, readOperations, writeOperations, discardOperations
    case flushOperations, readRate, writeRate, inFlight, busyTime

    var property: Property {
      switch self {
      case .mountPoint: Property("mount_point", .string, .static)
      case .source: Property("source", .string, .static)
      case .filesystem: Property("filesystem", .string, .static, name: "File system")
      case .total: Property("total", .int, unit: "By", .onChange)
      case .free: Property("free", .int, unit: "By", .onChange)
      case .available: Property("available", .int, unit: "By", .onChange)
      case .used: Property("used", .int, unit: "By", .onChange, .derived)
      case .inodesTotal: Property("inodes_total", .int, unit: "1", .onChange)
      case .inodesFree: Property("inodes_free", .int, unit: "1", .onChange)
      case .readOnly: Property("read_only", .bool, .onChange)
      case .removable: Property("removable", .bool, .static)
      case .rotational: Property("rotational", .bool, .static)
      case .volumeLabel: Property("volume_label", .string, .static)
      case .model: Property("model", .string, .static)
      case .uuid: Property("uuid", .string, .static, category: .serial, name: "UUID")
      case .readBytes: Property("read_bytes", .int, unit: "By", .continuous, .counter)
      case .writtenBytes: Property("written_bytes", .int, unit: "By", .continuous, .counter)
      case .readOperations: Property("read_operations", .int, unit: "1", .continuous, .counter)
      case .writeOperations: Property("write_operations", .int, unit: "1", .continuous, .counter)
      case .discardOperations:
        Property("discard_operations", .int, unit: "1", .continuous, .counter)
      case .flushOperations: Property("flush_operations", .int, unit: "1", .continuous, .counter)
      case .readRate: Property("read_rate", .double, unit: "By/s", .continuous, .derived)
      case .writeRate: Property("write_rate", .double, unit: "By/s", .continuous, .derived)
      case .inFlight: Property("in_flight", .int, unit: "1", .continuous)
      case .busyTime: Property("busy_time", .double, unit: "s", .continuous, .counter)
      }
    }
  }

  let kind = "storage"
  let name = "Storage"
  let intervals = Intervals(seconds: 10, minimum: 0.25, eventDriven: true)
  let topics: [ChangeTopic] = [.mounts, .devices(subsystem: "block")]
  let hasAggregate = true
  /// Rates over the time between two updates.
  let spans: [SpanRule] = [
    .rate(Field.readRate.rawValue, of: Field.readBytes.rawValue),
    .rate(Field.writeRate.rawValue, of: Field.writtenBytes.rawValue),
  ]

  static let table = Field.properties

  /// The mounted volumes, after the aggregate of the fixed ones.
  func discover(on machine: Machine) -> Discovery {
    machine.attachments.attachment { KnownVolumes() }
      .discovery(on: machine) { Self.find(on: machine) }
  }

  private static func find(on machine: Machine) -> Discovery {
    let text: ArraySlice<UInt8>
    do {
      text = try PolledFile(MountTable.path, in: machine.files, limit: 1 << 22).read()
    } catch {
      return Discovery([], orElse: Availability(listing: error, backend: "procfs"))
    }
    let none = Availability(
      .noHardware, backend: "procfs", detail: "\(MountTable.path) holds no volume")
    let found = VolumeFinder(machine).volumes(in: MountTable.mounts(in: text))
    if found.isEmpty { return Discovery([], orElse: none) }
    let all = Instance.aggregate(Availability(.available, backend: "procfs"), label: "All volumes")
    return Discovery([all] + found, orElse: none)
  }

  /// Opens a volume; the aggregate has nothing of its own.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : StorageReader(instance, on: machine)
  }

  /// Computes the used size: the total without the free part.
  func derive(_ reading: inout Reading) {
    if let all = reading.integer(Field.total), let rest = reading.integer(Field.free), all >= rest,
      rest >= 0
    {
      return reading.set(Field.used, to: all - rest)
    }
    let total = reading[Field.total]
    let free = reading[Field.free]
    for input in [total, free] where !input.hasPayload {
      reading[Field.used] = Outcome(status: input.status, absence: input.absence)
      return
    }
    guard case .int(let all) = total.value, case .int(let rest) = free.value else { return }
    let (used, overflow) = all.subtractingReportingOverflow(rest)
    let old = [total, free].first { $0.status == .stale }
    reading[Field.used] =
      overflow || used < 0
      ? .failed("more is free than there is")
      : Outcome(value: .int(used), status: old?.status ?? .ok, absence: old?.absence)
  }

  /// Removable media, images, memory and far volumes never count.
  func counts(_ place: Int, of members: [Reading]) -> Bool {
    if members.flag(at: Field.removable.rawValue, of: place) == true { return false }
    if members.has("/", at: Field.mountPoint.rawValue, of: place) { return true }
    guard let type = members[place][Field.filesystem].value.text else { return true }
    return !Mount.isUncounted(filesystem: type)
  }

  /// Sums of sizes and counters; values that differ are no data.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    let none = "no volume to count"
    let sums: [Field] = [
      .total, .free, .available, .used, .inodesTotal, .inodesFree, .readBytes, .writtenBytes,
      .readOperations, .writeOperations, .discardOperations, .flushOperations, .inFlight,
    ]
    for field in sums { members.setSum(field, in: &aggregate, noMember: none) }
    aggregate[Field.busyTime] = members.realSum(Field.busyTime, noMember: none)
    let names: [Field] = [
      .mountPoint, .source, .filesystem, .readOnly, .removable, .rotational, .volumeLabel, .model,
      .uuid,
    ]
    for field in names {
      members.setCommon(field, in: &aggregate, noMember: none, several: "several volumes")
    }
  }
}
