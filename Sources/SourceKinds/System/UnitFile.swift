import Gathering
import Values

/// The files of a control group that are read.
enum UnitFile: String, CaseIterable {
  case memory = "memory.current"
  case statistics = "memory.stat"
  case peak = "memory.peak"
  case swap = "memory.swap.current"
  case memoryEvents = "memory.events"
  case limit = "memory.max"
  case cpu = "cpu.stat"
  case quota = "cpu.max"
  case io = "io.stat"
  case tasks = "pids.current"
  case taskLimit = "pids.max"
  case cpuPressure = "cpu.pressure"
  case memoryPressure = "memory.pressure"
  case ioPressure = "io.pressure"
  case events = "cgroup.events"

  /// The properties that are read of it, each by its rule.
  var columns: [(field: SystemUnit.Field, rule: TextRule)] {
    switch self {
    case .memory: [(.memory, .count)]
    case .peak: [(.memoryPeak, .count)]
    case .swap: [(.swap, .count)]
    case .memoryEvents: [(.oomKills, .line("oom_kill", .count))]
    case .cpu:
      [
        (.cpuTime, .line("usage_usec", .microseconds)),
        (.throttledTime, .line("throttled_usec", .microseconds, orElse: Self.quota.absence)),
      ]
    case .quota: [(.cpuLimit, .quota)]
    case .io:
      [
        (.readBytes, .sum("rbytes")), (.writtenBytes, .sum("wbytes")),
        (.readOperations, .sum("rios")), (.writeOperations, .sum("wios")),
      ]
    case .tasks: [(.tasks, .count)]
    case .taskLimit: [(.taskLimit, .groupLimit)]
    case .cpuPressure: [(.cpuPressure, .somePressure)]
    case .memoryPressure: [(.memoryPressure, .somePressure)]
    case .ioPressure: [(.ioPressure, .somePressure)]
    case .events: [(.populated, .line("populated", .flag)), (.frozen, .line("frozen", .flag))]
    // They have no property of their own.
    case .statistics, .limit: []
    }
  }

  /// The longest text: tables have a line for each device.
  var longest: Int { self == .io || self == .statistics ? 1 << 16 : 4096 }

  /// Why there is nothing where the file is missing: its controller is not enabled for the group.
  var absence: Outcome {
    let remedy: String
    switch self {
    case .memory, .statistics, .memoryEvents, .limit:
      remedy = "set MemoryAccounting=yes for this unit"
    case .io: remedy = "set IOAccounting=yes for this unit"
    case .cpu, .quota: remedy = "set CPUAccounting=yes for this unit"
    case .tasks, .taskLimit: remedy = "set TasksAccounting=yes for this unit"
    case .cpuPressure, .memoryPressure, .ioPressure: remedy = "boot with psi=1"
    case .peak, .swap, .events: remedy = ""
    }
    let reason = "the group has no \(rawValue)"
    return Outcome(status: .unsupported, absence: Absence(reason, errno: 2, remedy: remedy))
  }
}

extension TextRule {
  /// A number, or `max`.
  static let groupLimit = TextRule { text in
    text.elementsEqual("max".utf8) ? .noData("no limit is set") : count(text)
  }

  /// Microseconds as seconds.
  fileprivate static let microseconds = count.map { value in
    .ok(.double((value.number ?? 0) / 1e6))
  }

  /// The words behind the one a line begins with; what is there where none does.
  static func line(_ key: String, _ rule: TextRule, orElse absence: Outcome? = nil) -> TextRule {
    TextRule { text in
      for line in Lines(of: text) {
        let end = line.firstIndex(of: 0x20) ?? line.endIndex
        if line[..<end].elementsEqual(key.utf8) { return rule(line[end...]) }
      }
      return absence ?? .unsupported("the kernel does not report \(key)")
    }
  }

  /// `QUOTA PERIOD` in microseconds, as a number of processors.
  fileprivate static let quota = TextRule { text in
    var words = Words(of: text)
    guard let first = words.next(), let second = words.next(), words.next() == nil,
      let period = NumberText.integer(second), period > 0
    else { return .unparsable(text) }
    if first.elementsEqual("max".utf8) { return .noData("no limit is set") }
    guard let quota = NumberText.integer(first), quota >= 0 else { return .unparsable(text) }
    return .ok(.double(Double(quota) / Double(period)))
  }

  /// The sum of a number of all devices: `8:0 rbytes=1 wbytes=2 …`, a line each.
  fileprivate static func sum(_ key: String) -> TextRule {
    let start = Array("\(key)=".utf8)
    return TextRule { text in
      var sum: Int64 = 0
      var devices: Set<ArraySlice<UInt8>> = []
      for line in Lines(of: text) {
        var words = Words(of: line)
        guard let device = words.next() else { continue }
        let isNew = devices.insert(device).inserted
        for word in words where word.starts(with: start) {
          guard isNew, let number = NumberText.integer(word.dropFirst(start.count)), number >= 0
          else { return .unparsable(line) }
          let (total, overflow) = sum.addingReportingOverflow(number)
          if overflow { return .unparsable(line) }
          sum = total
        }
      }
      return .ok(.int(sum))
    }
  }

  /// `some avg10=0.00 …`: the share of 10 s in which some task waited.
  fileprivate static let somePressure = TextRule.line(
    "some",
    TextRule { text in
      for word in Words(of: text) where word.starts(with: "avg10=".utf8) {
        guard let share = NumberText.decimal(word.dropFirst(6)), share >= 0 else {
          return .unparsable(word)
        }
        return .ok(.double(share))
      }
      return .unsupported("the kernel does not report avg10")
    })
}
