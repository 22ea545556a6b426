import Gathering
import Ground
import Machine
import Values

/// The machine's memory: its use, its pressure, and our control group's limit.
struct Memory: CatalogueKind {
  enum Field: Int, PropertyField {
    case total, available, free, used, buffers, cached, reclaimable, shared, dirty
    case swapTotal, swapFree, swapCached, zswap
    case pressureSomeAvg10, pressureSomeAvg60, pressureSomeAvg300
    case pressureFullAvg10, pressureFullAvg60, pressureFullAvg300
    case pressureSomeTotal, pressureFullTotal, cgroupLimit, cgroupCurrent

    var property: Property {
      switch self {
      case .total: Property("total", .int, unit: "By", .onChange)
      case .available: Property("available", .int, unit: "By", .continuous)
      case .free: Property("free", .int, unit: "By", .continuous)
      case .used: Property("used", .int, unit: "By", .continuous, .derived)
      case .buffers: Property("buffers", .int, unit: "By", .continuous)
      case .cached: Property("cached", .int, unit: "By", .continuous)
      case .reclaimable: Property("reclaimable", .int, unit: "By", .continuous)
      case .shared: Property("shared", .int, unit: "By", .continuous)
      case .dirty: Property("dirty", .int, unit: "By", .continuous)
      case .swapTotal: Property("swap_total", .int, unit: "By", .continuous)
      case .swapFree: Property("swap_free", .int, unit: "By", .continuous)
      case .swapCached: Property("swap_cached", .int, unit: "By", .continuous)
      case .zswap: Property("zswap", .int, unit: "By", .continuous)
      case .pressureSomeAvg10: Property("pressure_some_avg10", .double, unit: "%", .continuous)
      case .pressureSomeAvg60: Property("pressure_some_avg60", .double, unit: "%", .continuous)
      case .pressureSomeAvg300: Property("pressure_some_avg300", .double, unit: "%", .continuous)
      case .pressureFullAvg10: Property("pressure_full_avg10", .double, unit: "%", .continuous)
      case .pressureFullAvg60: Property("pressure_full_avg60", .double, unit: "%", .continuous)
      case .pressureFullAvg300: Property("pressure_full_avg300", .double, unit: "%", .continuous)
      case .pressureSomeTotal:
        Property("pressure_some_total", .double, unit: "s", .continuous, .counter)
      case .pressureFullTotal:
        Property("pressure_full_total", .double, unit: "s", .continuous, .counter)
      case .cgroupLimit: Property("cgroup_limit", .int, unit: "By", .continuous)
      case .cgroupCurrent: Property("cgroup_current", .int, unit: "By", .continuous)
      }
    }
  }

  let kind = "memory"
  let name = "Memory"
  let intervals = Intervals(seconds: 1, minimum: 0.25)
  static let table = Field.properties

  /// The one `machine`, where there is `/proc/meminfo`.
  func discover(on machine: Machine) -> Discovery {
    var availability = Availability(.available, backend: "procfs")
    do {
      _ = try machine.files.open(MemoryReader.path)
    } catch {
      availability = .whenTableFails(error, backend: "procfs")
      if error.code == SystemText.noEntry { return Discovery([], orElse: availability) }
    }
    return Discovery(
      [Instance("machine", label: name, availability: availability)], orElse: availability)
  }

  /// Opens the tables of memory and pressure, and the files of our control group.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    MemoryReader(machine.files)
  }

  /// Computes the used memory; never approximated if the kernel does not report the available
  /// memory.
  func derive(_ reading: inout Reading) {
    guard let all = reading.integer(Field.total) else {
      return reading[Field.used] = reading[Field.total].asMissingInput
    }
    guard let left = reading.integer(Field.available) else {
      return reading[Field.used] = reading[Field.available].asMissingInput
    }
    let (used, overflow) = all.subtractingReportingOverflow(left)
    if overflow || used < 0 {
      reading[Field.used] = .failed("more is available than there is")
    } else {
      reading.set(Field.used, to: used)
    }
  }
}

/// Reads `/proc/meminfo`, `/proc/pressure/memory` and the files of our control group.
private final class MemoryReader: InstanceReader {
  static let path = "/proc/meminfo"

  private static let lines: [(field: Memory.Field, label: String)] = [
    (.total, "MemTotal"), (.available, "MemAvailable"), (.free, "MemFree"),
    (.buffers, "Buffers"), (.cached, "Cached"), (.reclaimable, "SReclaimable"),
    (.shared, "Shmem"), (.dirty, "Dirty"), (.swapTotal, "SwapTotal"), (.swapFree, "SwapFree"),
    (.swapCached, "SwapCached"), (.zswap, "Zswap"),
  ]
  private static let pressures: [Memory.Field] = [
    .pressureSomeAvg10, .pressureSomeAvg60, .pressureSomeAvg300, .pressureSomeTotal,
    .pressureFullAvg10, .pressureFullAvg60, .pressureFullAvg300, .pressureFullTotal,
  ]

  private let fields = MemoryReader.lines.map(\.field.rawValue)
  private let pressureFields = MemoryReader.pressures.map(\.rawValue)
  private let meminfo: ProcTable
  private let pressure: PolledFile
  private var sizes = MeminfoText(labels: MemoryReader.lines.map(\.label))
  private var pressureText = PressureText()
  private var sizesFailure = KeptFailure()
  private var pressureFailure = KeptFailure()
  private let group: AttributeFolder?
  private let noGroup: KeptOutcome

  init(_ files: any FileTree) {
    meminfo = ProcTable(Self.path, in: files)
    pressure = PolledFile("/proc/pressure/memory", in: files)
    var folder: String?
    var reason = Outcome.unsupported("this process is in no control group of version 2")
    do throws(SystemError) {
      folder = try ControlGroup.folder(on: files)
    } catch {
      reason = .from(error)
    }
    noGroup = KeptOutcome(reason)
    group = folder.map { AttributeFolder($0, ["memory.max", "memory.current"], in: files) }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    readSizes(&reading)
    readPressure(&reading)
    guard let group else {
      reading.set(Memory.Field.cgroupLimit, to: noGroup)
      reading.set(Memory.Field.cgroupCurrent, to: noGroup)
      return
    }
    group.read(0, .groupLimit, into: &reading, at: Memory.Field.cgroupLimit.rawValue)
    group.read(1, .count, into: &reading, at: Memory.Field.cgroupCurrent.rawValue)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    if let line = fields.firstIndex(of: index) {
      return sizes.line(of: line, in: meminfo.bytes).map { RawValue($0, place: meminfo.path) }
    }
    if let number = pressureFields.firstIndex(of: index) {
      return pressureText.line(of: number, in: pressure.bytes).map {
        RawValue($0, place: pressure.path)
      }
    }
    switch Memory.Field(rawValue: index) {
    case .cgroupLimit: return group?.raw(0)
    case .cgroupCurrent: return group?.raw(1)
    default: return nil
    }
  }

  private func readSizes(_ reading: inout Reading) {
    do throws(SystemError) {
      let text = try meminfo.read()
      sizes.parse(text, from: meminfo.path, into: &reading, at: fields)
    } catch {
      let outcome = sizesFailure.outcome(of: error)
      for field in fields { reading.set(field, to: outcome) }
    }
  }

  private func readPressure(_ reading: inout Reading) {
    do throws(SystemError) {
      let text = try pressure.hasChanged() ? pressure.bytes : nil
      pressureText.parse(text, from: pressure.path, into: &reading, at: pressureFields)
    } catch {
      let outcome = pressureFailure.outcome(of: error)
      for field in pressureFields { reading.set(field, to: outcome) }
    }
  }
}
