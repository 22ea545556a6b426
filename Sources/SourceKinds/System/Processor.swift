import Gathering
import Machine
import Values

/// How busy the processors are, how fast they run, and how much waits for them.
struct Processor: CatalogueKind {
  enum Field: Int, PropertyField {
    case usage, user, system, iowait, interrupt, steal
    case frequency, frequencyMinimum, frequencyMaximum, online, onlineCount
    case load1, load5, load15, pressureSomeAvg10, pressureSomeAvg60, pressureSomeAvg300

    var property: Property {
      switch self {
      case .usage: Property("usage", .double, unit: "1", .continuous, .derived, range: 0...1)
      case .user: Property("user", .double, unit: "1", .continuous, .derived)
      case .system: Property("system", .double, unit: "1", .continuous, .derived)
      case .iowait: Property("iowait", .double, unit: "1", .continuous, .derived)
      case .interrupt: Property("interrupt", .double, unit: "1", .continuous, .derived)
      case .steal: Property("steal", .double, unit: "1", .continuous, .derived)
      case .frequency: Property("frequency", .double, unit: "Hz", .continuous)
      case .frequencyMinimum: Property("frequency_minimum", .double, unit: "Hz", .static)
      case .frequencyMaximum: Property("frequency_maximum", .double, unit: "Hz", .static)
      case .online: Property("online", .bool, .onChange)
      case .onlineCount: Property("online_count", .int, unit: "1", .onChange)
      case .load1: Property("load_1", .double, unit: "1", .continuous)
      case .load5: Property("load_5", .double, unit: "1", .continuous)
      case .load15: Property("load_15", .double, unit: "1", .continuous)
      case .pressureSomeAvg10: Property("pressure_some_avg10", .double, unit: "%", .continuous)
      case .pressureSomeAvg60: Property("pressure_some_avg60", .double, unit: "%", .continuous)
      case .pressureSomeAvg300: Property("pressure_some_avg300", .double, unit: "%", .continuous)
      }
    }

    static let shares: [Field] = [.usage, .user, .system, .iowait, .interrupt, .steal]
    static let loads: [Field] = [.load1, .load5, .load15]
    static let pressures: [Field] = [.pressureSomeAvg10, .pressureSomeAvg60, .pressureSomeAvg300]
    /// The fields of the aggregate only.
    static let shared: [Field] = [.onlineCount] + loads + pressures
  }

  static let folder = "/sys/devices/system/cpu"

  let kind = "cpu"
  let name = "Processor"
  let intervals = Intervals(seconds: 1, minimum: 0.25)
  let topics: [ChangeTopic] = [.devices(subsystem: "cpu")]
  let hasAggregate = true
  static let table = Field.properties

  /// Shares of the time since the previous update.
  var spans: [SpanRule] {
    Field.shares.map { field in
      SpanRule(field.rawValue) { Self.share(field, from: $0, to: $1) }
    }
  }

  /// All logical processors, on line or not, and the aggregate of them.
  func discover(on machine: Machine) -> Discovery {
    var names = Self.numbered((try? machine.files.entries(of: Self.folder)) ?? [])
    var absence = Availability.noDevices(in: Self.folder)
    if names.isEmpty {
      do {
        let text = try ProcTable("/proc/stat", in: machine.files).read()
        names = Self.numbered(
          text.split(separator: 10).map { $0.prefix { $0 > 0x20 }.lenientText })
      } catch {
        absence = .whenTableFails(error, backend: "procfs")
      }
    }
    if names.isEmpty { return Discovery([], orElse: absence) }
    let available = Availability(.available, backend: "procfs")
    let processors = names.map { Instance($0, availability: available, path: Self.folder) }
    return Discovery(
      [.aggregate(available, label: name)] + processors, orElse: absence)
  }

  /// Opens a processor, or the aggregate's own values.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate
      ? ProcessorsReader(machine) : ProcessorReader(instance.name, machine)
  }

  /// The mean frequency and the number of processors on line.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    for field in Self.own { aggregate.set(field, to: Self.ownToEach) }
    if members.isEmpty { return }
    Self.setMean(of: .frequency, members, in: &aggregate)
    var (told, online) = (0, 0)
    for place in members.indices {
      guard let flag = members.flag(at: Field.online.rawValue, of: place) else { continue }
      told += 1
      if flag { online += 1 }
    }
    if told > 0 {
      aggregate.set(Field.onlineCount, to: Int64(online))
    } else {
      aggregate[Field.onlineCount] = members[0][Field.online].asMissingInput
    }
    // Without the kernel's own sums, as in a simulation, the processors' shares have to do.
    guard aggregate.counters.isEmpty, aggregate[Field.usage].status != .failed else { return }
    for field in Field.shares {
      let isKnown = members.contains { $0.flag(Field.online) != false && $0.number(field) != nil }
      if isKnown { Self.setMean(of: field, members, in: &aggregate) }
    }
  }

  private static let own: [Field] = [.frequencyMinimum, .frequencyMaximum, .online]
  private static let ownToEach = KeptOutcome(.noData("each processor has its own"))

  /// The mean of the processors that are not known to be off line; where none of them has the
  /// number, the first one's reason.
  private static func setMean(
    of field: Field, _ members: [Reading], in aggregate: inout Reading
  ) {
    var (sum, count) = (0.0, 0.0)
    var first: Int?
    let online = Field.online.rawValue
    for place in members.indices where members.flag(at: online, of: place) != false {
      if first == nil { first = place }
      guard let number = members.number(at: field.rawValue, of: place) else { continue }
      sum += number
      count += 1
    }
    if count > 0 { return aggregate.set(field, to: sum / count) }
    aggregate.setMissing(field.rawValue, asIn: members, at: first ?? 0)
  }

  private static func numbered(_ names: [String]) -> [String] {
    names.filter { name in
      let digits = name.dropFirst(3).utf8
      return name.hasPrefix("cpu") && !digits.isEmpty && digits.count < 7
        && digits.allSatisfy { (0x30...0x39).contains($0) }
    }.sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private static func share(
    _ field: Field, from previous: SpanBasis, to current: SpanBasis
  ) -> SpanRule.Span {
    // A reading without times has the reason.
    guard !current.counters.isEmpty else { return .kept }
    let part: ProcessorTimes.Part? =
      switch field {
      case .user: .user
      case .system: .system
      case .iowait: .ioWait
      case .interrupt: .interrupt
      case .steal: .steal
      default: nil
      }
    let share = ProcessorTimes.share(of: part, from: previous.counters, to: current.counters)
    switch share {
    case .failure(.needsTwoReadings): return .known(.needsTwoReadings)
    case .failure(.noTimePassed): return .known(noTimePassed)
    case .success(let share): return .number(share)
    }
  }

  private static let noTimePassed = KeptOutcome(
    .noData("no time passed between two readings"))
}
