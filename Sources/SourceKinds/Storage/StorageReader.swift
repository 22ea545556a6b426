import Gathering
import Machine
import Values

/// Reads one volume: its sizes, its mount options and the counters of its device.
final class StorageReader: InstanceReader {
  private typealias Field = Storage.Field

  private let mountPoint: String
  private let identity: [(field: Field, outcome: Outcome, text: String?)]
  private let sizes: VolumeSizes
  private let mount: MountOptions
  private let counters: DiskCounters?
  private let disk: [(field: Field, folder: AttributeFolder, rule: TextRule)]
  private let udev: UdevRecord?
  private var answer: VolumeSizes.Status = .waiting

  init(_ instance: Instance, on machine: Machine) {
    mountPoint = instance.path
    identity = Self.identity(of: instance)
    sizes = VolumeSizes(
      of: mountPoint, isRemote: instance.notes["remote"] != nil, on: machine)
    mount = MountOptions(of: mountPoint, in: machine.files)
    let number = instance.notes["device"].flatMap { $0.isEmpty ? nil : $0 }
    counters = number.map { DiskCounters(ofDevice: $0, on: machine) }
    udev = number.map { UdevRecord(ofBlockDevice: $0, in: machine.files) }
    let folder = instance.notes["disk"] ?? ""
    disk = (folder.isEmpty ? [] : Self.diskFiles).map { field, place, name, rule in
      (field, AttributeFolder(folder + place, [name], in: machine.files), rule)
    }
  }

  private static let diskFiles: [(Field, String, String, TextRule)] = [
    (.removable, "", "removable", .flag), (.rotational, "/queue", "rotational", .flag),
    (.model, "/device", "model", .text),
  ]

  private static func identity(
    of instance: Instance
  ) -> [(field: Field, outcome: Outcome, text: String?)] {
    func noted(_ field: Field, _ text: String?, orElse absence: String)
      -> (field: Field, outcome: Outcome, text: String?)
    {
      (field, text.map { .ok(.string($0)) } ?? .noData(absence), text)
    }
    return [
      noted(.mountPoint, instance.path, orElse: "no mount point"),
      noted(.source, instance.notes["source"], orElse: "no source"),
      noted(.filesystem, instance.notes["filesystem"], orElse: "no type"),
    ]
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let isFirst = request.scope == .everything
    readSizes(waiting: isFirst ? 50_000_000 : 5_000_000, into: &reading)
    reading[Field.readOnly] = answer.readOnly ?? mount.read()
    readCounters(into: &reading)
    guard isFirst else { return }
    for (field, outcome, _) in identity { reading[field] = outcome }
    for rate in [Field.readRate, .writeRate] where reading[rate] == .notRead {
      reading[rate] = .needsTwoReadings
    }
    readDevice(request, into: &reading)
  }

  private static let noDisk = Outcome.unsupported("no disk behind it")

  private func readDevice(_ request: ReadRequest, into reading: inout Reading) {
    if disk.isEmpty {
      for (field, _, _, _) in Self.diskFiles { reading[field] = Self.noDisk }
    }
    for (field, folder, rule) in disk { reading[field] = folder.read(0, rule) }
    for field in [Field.volumeLabel, .uuid] where request.wants(Storage.table[field]) {
      reading[field] = udev?.value(of: Self.udevKey(field)).outcome ?? Self.noDisk
    }
  }

  private static func udevKey(_ field: Field) -> UdevRecord.Key {
    field == .uuid ? .fileSystemIdentifier : .fileSystemLabel
  }

  private func readSizes(waiting nanoseconds: Int64, into reading: inout Reading) {
    answer = sizes.ask(waiting: nanoseconds)
    switch answer {
    case .fresh(let sizes): set(sizes, into: &reading)
    case .old(let sizes):
      set(sizes, into: &reading)
      let late = Absence(Self.late, errno: SystemText.timedOut)
      for field in Self.sized where reading[field].status == .ok {
        reading[field].status = .stale
        reading[field].absence = late
      }
    case .failed(let error): fill(.from(error), into: &reading)
    case .waiting: fill(.noData("\(mountPoint) has not answered yet"), into: &reading)
    case .late: fill(.failed(Self.late, errno: SystemText.timedOut), into: &reading)
    }
  }

  private static let late = "the file system has not answered for 2 s"
  private static let noInodes = Outcome.unsupported("the file system does not count inodes")
  private static let sized: [Field] = [.total, .free, .available, .inodesTotal, .inodesFree]

  private func fill(_ outcome: Outcome, into reading: inout Reading) {
    for field in Self.sized { reading[field] = outcome }
  }

  private func set(_ sizes: FileSystemStatistics, into reading: inout Reading) {
    reading[Field.total] = Self.bytes(sizes.blocks, sizes.blockSize)
    reading[Field.free] = Self.bytes(sizes.blocksFree, sizes.blockSize)
    reading[Field.available] = Self.bytes(sizes.blocksAvailable, sizes.blockSize)
    guard sizes.inodes > 0 else {
      reading[Field.inodesTotal] = Self.noInodes
      reading[Field.inodesFree] = Self.noInodes
      return
    }
    reading[Field.inodesTotal] = Self.bytes(sizes.inodes, 1)
    reading[Field.inodesFree] = Self.bytes(sizes.inodesFree, 1)
  }

  private static func bytes(_ count: UInt64, _ size: UInt64) -> Outcome {
    let (product, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, let number = Int64(exactly: product) else {
      return .failed("the size exceeds 64 bits")
    }
    return .ok(.int(number))
  }

  private static let counted: [(field: Field, position: Int, factor: Int64)] = [
    (.readBytes, 2, 512), (.writtenBytes, 6, 512), (.readOperations, 0, 1),
    (.writeOperations, 4, 1), (.discardOperations, 11, 1), (.flushOperations, 15, 1),
    (.inFlight, 8, 1),
  ]

  private func readCounters(into reading: inout Reading) {
    guard let counters else {
      for (field, _, _) in Self.counted { reading[field] = Self.noDisk }
      reading[Field.busyTime] = Self.noDisk
      return
    }
    counters.read()
    for (field, position, factor) in Self.counted {
      reading[field] = counters.field(position, times: factor)
    }
    let busy = counters.field(9)
    if case .int(let milliseconds) = busy.value {
      reading[Field.busyTime] = .ok(.double(Double(milliseconds) / 1000))
    } else {
      reading[Field.busyTime] = busy
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Field(rawValue: index) else { return nil }
    switch field {
    case .mountPoint, .source, .filesystem:
      let text = identity.first { $0.field == field }?.text
      return text.map { RawValue($0.utf8, place: MountTable.path) }
    case .readOnly:
      guard case .bool(let flag) = answer.readOnly?.value else { return mount.raw }
      return RawValue((flag ? "1" : "0").utf8, place: mountPoint)
    case .total, .free, .available, .inodesTotal, .inodesFree: return rawSize(field)
    case .volumeLabel, .uuid: return udev?.raw(of: Self.udevKey(field))
    case .removable, .rotational, .model: return disk.first { $0.field == field }?.folder.raw(0)
    case .used, .readRate, .writeRate: return nil
    default:
      guard let counters, !counters.raw.isEmpty else { return nil }
      return RawValue(counters.raw, place: counters.place)
    }
  }

  private func rawSize(_ field: Field) -> RawValue? {
    switch answer {
    case .fresh(let sizes), .old(let sizes):
      let count =
        switch field {
        case .total: sizes.blocks
        case .free: sizes.blocksFree
        case .available: sizes.blocksAvailable
        case .inodesTotal: sizes.inodes
        default: sizes.inodesFree
        }
      return RawValue("\(count)".utf8, place: mountPoint)
    default: return nil
    }
  }
}

extension VolumeSizes.Status {
  /// Whether writes are refused, where the answer tells.
  fileprivate var readOnly: Outcome? {
    guard case .fresh(let sizes) = self else { return nil }
    return sizes.isReadOnly.map { .ok(.bool($0)) }
  }
}
