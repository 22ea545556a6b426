import Gathering
import Testing
import Values

@testable import SourceKinds

@Suite(.serialized) struct IntervalTests {
  @Test func `I1 an interval that is none changes nothing`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    try source.startUpdating(every: second)
    for wrong in [0, -1, Int64.min] {
      #expect(throws: SourceError.self) { try source.startUpdating(every: wrong) }
      #expect(throws: SourceError.self) {
        try DefaultIntervals.set(wrong, of: source.kind)
      }
    }
    #expect(source.updateInterval == second)
    try source.startUpdating(every: .max)
    #expect(source.updateInterval == .max)
    try sim.seek(100)
  }

  @Test func `I2 the default belongs to the kind and is read at each start`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let factory = source.kind.intervals.factoryDefault
    try source.startUpdating()
    #expect(source.updateInterval == factory)
    try DefaultIntervals.set(7 * second, of: source.kind)
    #expect(source.updateInterval == factory)
    try source.startUpdating()
    #expect(source.updateInterval == 7 * second)
    try DefaultIntervals.set(nil, of: source.kind)
    try source.startUpdating()
    #expect(source.updateInterval == factory)
  }

  @Test func `I3 C5 asked, granted and measured are kept apart`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory + "\n0 floor memory|machine 0.5")
    let source = try sim.open("memory")
    try source.startUpdating(every: second / 10)
    #expect(source.rates.asked == second / 10)
    #expect(source.rates.granted == second / 2)
    #expect(!source.rates.reason.isEmpty)
    #expect(source.rates.measured == nil)
    try sim.seek(30)
    #expect(source.rates.measured == second / 2)
    try source.stopUpdating()
    #expect(source.rates.asked == nil && source.rates.granted == nil)
    let free = try ScriptedContext(ScriptedContext.memory)
    let other = try free.open("memory")
    try other.startUpdating(every: 1)
    #expect(other.rates.granted == 1_000_000)
    try other.startUpdating(every: 1_000_000)
    #expect(other.rates.granted == 1_000_000 && other.rates.reason.isEmpty)
  }

  @Test func `I5 a slower session gets its own ticks with the newest reading`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let fast = try sim.open("memory")
    let slow = try sim.open("memory")
    try fast.startUpdating(every: second)
    try slow.startUpdating(every: 2_500_000_000)
    let diary = Diary(slow)
    try sim.seek(0)
    _ = diary.take()
    try sim.seek(5)
    let updates = diary.updates().map { $0.value("free", of: slow) }
    #expect(updates.map(\.time) == [2 * second, 5 * second])
    #expect(updates.allSatisfy { $0.flags.contains(.isNew) })
  }

  @Test func `I5 a tick without a newer reading delivers nothing new`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let slow = try sim.open("memory")
    let fast = try sim.open("memory")
    try fast.startUpdating(every: 10 * second)
    try slow.startUpdating(every: 10 * second)
    let diary = Diary(slow)
    try sim.seek(10)
    #expect(diary.updates().count == 2)
  }

  @Test func `I4 I5 sources of many intervals keep their grids through stops and restarts`() throws
  {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let intervals = (0..<40).map { second + Int64($0 % 8) * 130_000_000 }
    let sources = try intervals.map { _ in try sim.open("memory") }
    let diaries = sources.map { Diary($0) }
    for (source, interval) in zip(sources, intervals) { try source.startUpdating(every: interval) }
    try sim.seek(4.5)
    // Of each interval one stops, one starts again, and so joins the others.
    for place in 0..<8 {
      try sources[place].stopUpdating()
      try sources[8 + place].startUpdating(every: intervals[8 + place])
    }
    try sim.seek(30)
    for (place, source) in sources.enumerated() {
      let last = place < 8 ? 4_500_000_000 : 30 * second
      let refreshes = 8..<16 ~= place ? 2 : 1
      #expect(diaries[place].updates().count == Int(last / intervals[place]) + refreshes)
      #expect(source.rates.skipped == 0)
    }
  }

  @Test func `I7 a burst of events collapses into its last state`() throws {
    let burst = (1...9).map { "1.0\($0) set battery|BAT0/level 0.\($0)" }
      .joined(separator: "\n")
    let sim = try ScriptedContext(ScriptedContext.battery + "\n" + burst)
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    try source.startUpdating(every: 10 * second)
    try sim.seek(0.9)
    _ = diary.take()
    try sim.seek(9)
    let levels = diary.updates().map { $0.value("level", of: source).value }
    #expect(levels == [.double(0.1), .double(0.9)])
    try sim.seek(10)
    #expect(diary.updates().count == 1)
  }

  @Test func `I8 quantities over time cover the session's own span`() throws {
    let sim = try ScriptedContext(
      "0 add network|a\n0 set network|a/rx_bytes 0\n0 wave network|a/rx_bytes ramp 1000 0.005")
    let fast = try sim.open("network|a")
    let slow = try sim.open("network|a")
    guard let index = fast.properties.firstIndex(where: { $0.key == "rx_rate" }) else {
      Issue.record("\(fast.properties.map(\.key))")
      return
    }
    let diary = Diary(slow)
    try fast.startUpdating(every: second)
    try slow.startUpdating(every: 2_500_000_000)
    try sim.seek(0)
    let first = diary.updates().first?.samples[index]
    #expect(first?.status == .noData && first?.absence?.reason == "needs two readings")
    try sim.seek(5)
    // 10 a second, from 0 to the reading at 2 and from there to the one at 5.
    let rates = diary.updates().map { $0.samples[index].value }
    #expect(rates == [.double(10), .double(10)])
    try slow.stopUpdating()
    try slow.startUpdating(every: second)
    try sim.seek(5)
    #expect(diary.updates().last?.samples[index].status == .noData)
  }
}
