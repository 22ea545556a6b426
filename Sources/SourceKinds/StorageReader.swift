import Gathering
import Machine

/// Reads one volume: its sizes, its mount options and the counters of its device.
final class StorageReader: InstanceReader {
  private typealias Field = Storage.Field

  private let mountPoint: String
  private let notes: [String: String]
  private let sizes: VolumeSizes
  private let table: KeptFile
  private var tableBytes: [UInt8] = []
  private var readOnly: Outcome = .notRead
  private let counters: DiskCounters?
  private let disk: AttributeReader?
  private let udev: UdevRecord?
  private var udevRaw: [Int: RawValue] = [:]
  private var answer: VolumeSizes.Answer = .waiting

  init(_ instance: Instance, on machine: Machine) {
    mountPoint = instance.path
    notes = instance.notes
    sizes = VolumeSizes(
      of: mountPoint, isRemote: instance.notes["remote"] != nil, on: machine)
    table = KeptFile(MountTable.path, in: machine.files, limit: 1 << 22)
    let number = instance.notes["device"].flatMap { $0.isEmpty ? nil : $0 }
    counters = number.map { DiskCounters(ofDevice: $0, on: machine) }
    udev = number.map { UdevRecord(ofBlockDevice: $0, in: machine.files) }
    disk = instance.notes["disk"].flatMap { folder in
      folder.isEmpty
        ? nil
        : AttributeReader(
          [
            Attribute(Field.removable.rawValue, "\(folder)/removable", .flag),
            Attribute(Field.rotational.rawValue, "\(folder)/queue/rotational", .flag),
            Attribute(Field.model.rawValue, "\(folder)/device/model", .text),
          ], of: Storage.table, in: machine.files)
    }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let isFirst = request.scope == .everything
    readSizes(waiting: isFirst ? 50_000_000 : 5_000_000, into: &reading)
    reading[Field.readOnly] = mountOptions()
    readCounters(into: &reading)
    guard isFirst else { return }
    reading[Field.mountPoint] = .ok(.string(mountPoint))
    reading[Field.source] = notes["source"].map { .ok(.string($0)) } ?? .noData("no source")
    reading[Field.filesystem] = notes["filesystem"].map { .ok(.string($0)) } ?? .noData("no type")
    for rate in [Field.readRate, .writeRate] where reading[rate] == .notRead {
      reading[rate] = .needsTwoReadings
    }
    readDevice(request, into: &reading)
  }

  private func readDevice(_ request: ReadRequest, into reading: inout Reading) {
    let noDisk = Outcome.unsupported("no disk behind it")
    for field in [Field.removable, .rotational, .model] { reading[field] = noDisk }
    disk?.read(request, into: &reading)
    let names: [(Field, String)] = [(.volumeLabel, "ID_FS_LABEL_ENC"), (.uuid, "ID_FS_UUID_ENC")]
    for (field, key) in names where request.wants(Storage.table[field.rawValue]) {
      let found = udev?.value(of: key)
      reading[field] = found?.outcome ?? noDisk
      udevRaw[field.rawValue] = found?.raw
    }
  }

  /// Whether the mount refuses writes; the table is parsed only when it has changed.
  private func mountOptions() -> Outcome {
    do {
      let text = try table.read()
      if readOnly.status == .ok && tableBytes.count == text.count && tableBytes.elementsEqual(text)
      {
        return readOnly
      }
      tableBytes = Array(text)
      let mount = MountTable.mounts(in: text).last { $0.mountPoint == mountPoint }
      readOnly = mount.map { .ok(.bool($0.isReadOnly)) } ?? .noData("\(mountPoint) is not mounted")
      if text.isEmpty { readOnly = .noData("empty text") }
    } catch {
      readOnly = .from(error)
    }
    return readOnly
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
  private static let sized: [Field] = [.total, .free, .available, .inodesTotal, .inodesFree]

  private func fill(_ outcome: Outcome, into reading: inout Reading) {
    for field in Self.sized { reading[field] = outcome }
  }

  private func set(_ sizes: FileSystemStatistics, into reading: inout Reading) {
    reading[Field.total] = Self.bytes(sizes.blocks, sizes.blockSize)
    reading[Field.free] = Self.bytes(sizes.blocksFree, sizes.blockSize)
    reading[Field.available] = Self.bytes(sizes.blocksAvailable, sizes.blockSize)
    guard sizes.inodes > 0 else {
      reading[Field.inodesTotal] = .unsupported("the file system does not count inodes")
      reading[Field.inodesFree] = reading[Field.inodesTotal]
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
      for (field, _, _) in Self.counted { reading[field] = .unsupported("no disk behind it") }
      reading[Field.busyTime] = .unsupported("no disk behind it")
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
    case .mountPoint: return RawValue(mountPoint.utf8, place: MountTable.path)
    case .source, .filesystem:
      let note = notes[field == .source ? "source" : "filesystem"]
      return note.map { RawValue($0.utf8, place: MountTable.path) }
    case .readOnly: return rawMount
    case .total, .free, .available, .inodesTotal, .inodesFree: return rawSize(field)
    case .volumeLabel, .uuid: return udevRaw[index]
    case .removable, .rotational, .model: return disk?.raw(ofPropertyAt: index)
    case .used, .readRate, .writeRate: return nil
    default:
      guard let counters, !counters.raw.isEmpty else { return nil }
      return RawValue(counters.raw, place: counters.place)
    }
  }

  private var rawMount: RawValue? {
    let lines = Lines(of: tableBytes[...]).filter {
      MountTable.mount($0)?.mountPoint == mountPoint
    }
    return lines.last.map { RawValue($0, place: MountTable.path) }
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
