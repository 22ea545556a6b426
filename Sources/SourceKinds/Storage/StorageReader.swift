import Gathering
import Ground
import Machine
import Values

/// Reads one volume: its sizes, its mount options and the counters of its device.
final class StorageReader: InstanceReader {
  private typealias Field = Storage.Field

  private let mountPoint: String
  private let identity: [(field: Field, outcome: KeptOutcome, text: String?)]
  private let sizes: VolumeSizes
  private let mount: MountOptions
  private let counters: DiskCounters?
  private var disk: [DiskFile]
  private let udev: UdevRecord?
  private let clock: any TimeSource
  private let isLive: Bool
  private var answer: VolumeSizes.Status = .waiting
  /// Whether the reading has what is the same in every one.
  private var isIdentified = false

  /// An attribute of the disk behind a volume.
  private struct DiskFile {
    let field: Field
    let file: ParsedFile?
    let absence: KeptOutcome
    /// Whether it stays what it is as long as the disk exists.
    let isConstant: Bool
    /// Whether it is in the reading and need not be read again.
    var isSettled = false
  }

  init(_ instance: Instance, on machine: Machine) {
    mountPoint = instance.path
    clock = machine.clock
    isLive = machine.nature == .live
    identity = Self.identity(of: instance)
    sizes = VolumeSizes(
      of: mountPoint, isRemote: instance.notes["remote"] != nil, on: machine)
    mount = MountOptions(of: mountPoint, in: machine.files)
    let number = instance.notes["device"].flatMap { $0.isEmpty ? nil : $0 }
    counters = number.map { DiskCounters(ofDevice: $0, on: machine) }
    udev = number.map { UdevRecord(ofBlockDevice: $0, in: machine.files) }
    let folder = instance.notes["disk"] ?? ""
    disk = Self.diskFiles.map { field, place, name, rule, isConstant in
      let path = folder + place
      let isThere = !folder.isEmpty && machine.files.mayHave(name, in: path)
      return DiskFile(
        field: field,
        file: isThere ? ParsedFile("\(path)/\(name)", rule, in: machine.files) : nil,
        absence: folder.isEmpty ? Self.noDisk : .missing("\(path)/\(name)"),
        isConstant: isConstant && machine.nature == .live)
    }
  }

  /// Whether a disk is rotational may be written.
  private static let diskFiles: [(Field, String, String, TextRule, isConstant: Bool)] = [
    (.removable, "", "removable", .flag, true),
    (.rotational, "/queue", "rotational", .flag, false),
    (.model, "/device", "model", .text, true),
  ]

  private static func identity(
    of instance: Instance
  ) -> [(field: Field, outcome: KeptOutcome, text: String?)] {
    func noted(_ field: Field, _ text: String?, orElse absence: String)
      -> (field: Field, outcome: KeptOutcome, text: String?)
    {
      (field, KeptOutcome(text.map { .ok(.string($0)) } ?? .noData(absence)), text)
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
    if let isReadOnly = answer.isReadOnly {
      reading.set(Field.readOnly, to: isReadOnly)
    } else {
      reading.set(Field.readOnly, to: mount.read())
    }
    readCounters(into: &reading)
    if !isIdentified {
      isIdentified = true
      for (field, outcome, _) in identity { reading.set(field, to: outcome) }
      reading.needTwoReadings(Field.readRate)
      reading.needTwoReadings(Field.writeRate)
    }
    if isFirst { readDevice(request, into: &reading) }
  }

  private static let noDisk = KeptOutcome(.unsupported("no disk behind it"))

  private func readDevice(_ request: ReadRequest, into reading: inout Reading) {
    for place in disk.indices where !disk[place].isSettled {
      let field = disk[place].field
      if let file = disk[place].file {
        file.read(into: &reading, at: field.rawValue)
        disk[place].isSettled = disk[place].isConstant && file.hasValue
      } else {
        reading.set(field, to: disk[place].absence)
        disk[place].isSettled = true
      }
    }
    readRecord(.volumeLabel, request, &reading)
    if request.wants(.static, .serial) { readRecord(.uuid, request, &reading) }
  }

  private func readRecord(_ field: Field, _ request: ReadRequest, _ reading: inout Reading) {
    guard let udev else { return reading.set(field, to: Self.noDisk) }
    let now = isLive ? clock.boot : .max
    reading.set(field, to: udev.outcome(of: Self.udevKey(field), at: now))
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
  private static let noInodes = KeptOutcome(
    .unsupported("the file system does not count inodes"))
  private static let sized: [Field] = [.total, .free, .available, .inodesTotal, .inodesFree]

  private func fill(_ outcome: Outcome, into reading: inout Reading) {
    for field in Self.sized { reading[field] = outcome }
  }

  private func set(_ sizes: FileSystemStatistics, into reading: inout Reading) {
    setBytes(.total, sizes.blocks, sizes.blockSize, &reading)
    setBytes(.free, sizes.blocksFree, sizes.blockSize, &reading)
    setBytes(.available, sizes.blocksAvailable, sizes.blockSize, &reading)
    guard sizes.inodes > 0 else {
      reading.set(Field.inodesTotal, to: Self.noInodes)
      reading.set(Field.inodesFree, to: Self.noInodes)
      return
    }
    setBytes(.inodesTotal, sizes.inodes, 1, &reading)
    setBytes(.inodesFree, sizes.inodesFree, 1, &reading)
  }

  private func setBytes(
    _ field: Field, _ count: UInt64, _ size: UInt64, _ reading: inout Reading
  ) {
    let (product, overflow) = count.multipliedReportingOverflow(by: size)
    if !overflow, let number = Int64(exactly: product) {
      reading.set(field, to: number)
    } else {
      reading[field] = .failed("the size exceeds 64 bits")
    }
  }

  private static let counted: [(field: Field, position: Int, factor: Int64)] = [
    (.readBytes, 2, 512), (.writtenBytes, 6, 512), (.readOperations, 0, 1),
    (.writeOperations, 4, 1), (.discardOperations, 11, 1), (.flushOperations, 15, 1),
    (.inFlight, 8, 1),
  ]

  private func readCounters(into reading: inout Reading) {
    guard let counters else {
      for (field, _, _) in Self.counted { reading.set(field, to: Self.noDisk) }
      reading.set(Field.busyTime, to: Self.noDisk)
      return
    }
    counters.read()
    for (field, position, factor) in Self.counted {
      if let number = counters.number(position, times: factor) {
        reading.set(field, to: number)
      } else {
        reading.set(field, to: counters.absence(of: position))
      }
    }
    if let milliseconds = counters.number(9) {
      reading.set(Field.busyTime, to: Double(milliseconds) / 1000)
    } else {
      reading.set(Field.busyTime, to: counters.absence(of: 9))
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Field(rawValue: index) else { return nil }
    switch field {
    case .mountPoint, .source, .filesystem:
      let text = identity.first { $0.field == field }?.text
      return text.map { RawValue($0.utf8, place: MountTable.path) }
    case .readOnly:
      guard let flag = answer.isReadOnly else { return mount.raw }
      return RawValue((flag ? "1" : "0").utf8, place: mountPoint)
    case .total, .free, .available, .inodesTotal, .inodesFree: return rawSize(field)
    case .volumeLabel, .uuid: return udev?.raw(of: Self.udevKey(field))
    case .removable, .rotational, .model: return disk.first { $0.field == field }?.file?.raw
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
  fileprivate var isReadOnly: Bool? {
    guard case .fresh(let sizes) = self else { return nil }
    return sizes.isReadOnly
  }
}
