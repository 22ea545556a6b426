import Gathering
import Ground
import Machine
import Values

/// The units of this machine: what its control groups (version 2) use, and how far they may go.
struct SystemUnit: CatalogueKind {
  enum Field: Int, PropertyField {
    case memory, memoryWorkingSet, memoryPeak, memoryLimit, swap, oomKills
    case usage, cpuTime, throttledTime, cpuLimit
    case readBytes, writtenBytes, readOperations, writeOperations, tasks, taskLimit
    case cpuPressure, memoryPressure, ioPressure, populated, frozen, type, parent, unit

    var property: Property {
      switch self {
      case .memory: Property("memory", .int, unit: "By", .continuous)
      case .memoryWorkingSet:
        Property("memory_working_set", .int, unit: "By", .continuous, .derived)
      case .memoryPeak: Property("memory_peak", .int, unit: "By", .continuous)
      case .memoryLimit: Property("memory_limit", .int, unit: "By", .onChange)
      case .swap: Property("swap", .int, unit: "By", .continuous)
      case .oomKills: Property("oom_kills", .int, unit: "1", .continuous, .counter)
      case .usage: Property("usage", .double, unit: "1", .continuous, .derived)
      case .cpuTime: Property("cpu_time", .double, unit: "s", .continuous, .counter)
      case .throttledTime: Property("throttled_time", .double, unit: "s", .continuous, .counter)
      case .cpuLimit: Property("cpu_limit", .double, unit: "1", .onChange)
      case .readBytes: Property("read_bytes", .int, unit: "By", .continuous, .counter)
      case .writtenBytes: Property("written_bytes", .int, unit: "By", .continuous, .counter)
      case .readOperations: Property("read_operations", .int, unit: "1", .continuous, .counter)
      case .writeOperations: Property("write_operations", .int, unit: "1", .continuous, .counter)
      case .tasks: Property("tasks", .int, unit: "1", .continuous)
      case .taskLimit: Property("task_limit", .int, unit: "1", .onChange)
      case .cpuPressure: Property("cpu_pressure", .double, unit: "%", .continuous)
      case .memoryPressure: Property("memory_pressure", .double, unit: "%", .continuous)
      case .ioPressure: Property("io_pressure", .double, unit: "%", .continuous)
      case .populated: Property("populated", .bool, .onChange)
      case .frozen: Property("frozen", .bool, .onChange)
      case .type: Property("type", .enumeration(UnitName.types), .static)
      case .parent: Property("parent", .string, .static)
      case .unit: Property("unit", .string, .static)
      }
    }
  }

  let kind = "unit"
  let name = "Unit"
  let intervals = Intervals(seconds: 5, minimum: 0.5, eventDriven: true)
  let topics: [ChangeTopic] = [.folders(below: UnitTree.root)]
  static let table = Field.properties

  /// The processor time a second since the previous update; 1 is one processor.
  let spans = [
    SpanRule(Field.usage.rawValue, of: Field.cpuTime.rawValue) { previous, current in
      let now = current[Field.cpuTime.rawValue]
      guard let new = now.number else { return .outcome(now.asMissingInput) }
      let nanoseconds = current.instant.boot - previous.instant.boot
      guard let old = previous[Field.cpuTime.rawValue].number, new >= old, nanoseconds > 0 else {
        return .known(.needsTwoReadings)
      }
      return .number((new - old) * 1e9 / Double(nanoseconds))
    }
  ]

  /// Our own group, then the tree in natural order.
  func discover(on machine: Machine) -> Discovery { UnitTree.discover(on: machine.files) }

  /// A group is what its folder is called.
  func isStillThere(_ instance: Instance, on machine: Machine) -> Bool {
    (try? machine.files.canonicalPath(of: instance.path)) != nil
  }

  /// Opens nothing: a thousand groups have more files than a process has descriptors.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    UnitReader(instance, in: machine.files)
  }
}
