import Gathering
import Machine
import Values

/// Mounted volumes: their sizes, their disks and what passes through them.
struct Storage: SourceKind {
  /// A storage kind; it holds nothing.
  init() {}

  enum Field: Int, CaseIterable {
    case mountPoint, source, filesystem, total, free, available, used, inodesTotal, inodesFree
    case readOnly, removable, rotational, volumeLabel, model, uuid
    case readBytes, writtenBytes, readOperations, writeOperations, discardOperations
    case flushOperations, readRate, writeRate, inFlight, busyTime
  }

  /// The word in identifiers.
  let kind = "storage"
  /// The name for people.
  let name = "Storage"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 10, minimum: 0.25, eventDriven: true)
  /// What the kernel tells of it by itself.
  let topics: [ChangeTopic] = [.mounts, .devices(subsystem: "block")]
  /// One instance speaks for all.
  let hasAggregate = true
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }
  /// Rates over the time between two updates.
  let spans: [SpanRule] = [
    .rate(Field.readRate.rawValue, of: Field.readBytes.rawValue),
    .rate(Field.writeRate.rawValue, of: Field.writtenBytes.rawValue),
  ]

  static let table: [Property] = [
    Property("mount_point", .string, .static),
    Property("source", .string, .static),
    Property("filesystem", .string, .static, name: "File system"),
    Property("total", .int, unit: "By", .onChange),
    Property("free", .int, unit: "By", .onChange),
    Property("available", .int, unit: "By", .onChange),
    Property("used", .int, unit: "By", .onChange, .derived),
    Property("inodes_total", .int, unit: "1", .onChange),
    Property("inodes_free", .int, unit: "1", .onChange),
    Property("read_only", .bool, .onChange),
    Property("removable", .bool, .static),
    Property("rotational", .bool, .static),
    Property("volume_label", .string, .static),
    Property("model", .string, .static),
    Property("uuid", .string, .static, category: .serial, name: "UUID"),
    Property("read_bytes", .int, unit: "By", .continuous, .counter),
    Property("written_bytes", .int, unit: "By", .continuous, .counter),
    Property("read_operations", .int, unit: "1", .continuous, .counter),
    Property("write_operations", .int, unit: "1", .continuous, .counter),
    Property("discard_operations", .int, unit: "1", .continuous, .counter),
    Property("flush_operations", .int, unit: "1", .continuous, .counter),
    Property("read_rate", .double, unit: "By/s", .continuous, .derived),
    Property("write_rate", .double, unit: "By/s", .continuous, .derived),
    Property("in_flight", .int, unit: "1", .continuous),
    Property("busy_time", .double, unit: "s", .continuous, .counter),
  ]

  /// The mounted volumes, after the aggregate of the fixed ones.
  func discover(on machine: Machine) -> Discovery {
    let text: ArraySlice<UInt8>
    do {
      text = try KeptFile(MountTable.path, in: machine.files, limit: 1 << 22).read()
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

  /// Computes what is used: the total without the free part.
  func derive(_ reading: inout Reading) {
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
  func counts(_ member: Reading) -> Bool {
    if member[Field.removable].value == .bool(true) { return false }
    guard let type = member[Field.filesystem].value.text else { return true }
    return member[Field.mountPoint].value == .string("/") || !Mount.isUncounted(filesystem: type)
  }

  /// Sums of sizes and counters; what differs is no data.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    let none = "no volume to count"
    let sums: [Field] = [
      .total, .free, .available, .used, .inodesTotal, .inodesFree, .readBytes, .writtenBytes,
      .readOperations, .writeOperations, .discardOperations, .flushOperations, .inFlight,
    ]
    for field in sums { aggregate[field] = members.sum(field, noMember: none) }
    aggregate[Field.busyTime] = members.realSum(Field.busyTime, noMember: none)
    let names: [Field] = [
      .mountPoint, .source, .filesystem, .readOnly, .removable, .rotational, .volumeLabel, .model,
      .uuid,
    ]
    for field in names {
      aggregate[field] = members.common(field, noMember: none, several: "several volumes")
    }
  }
}
