import Gathering
import Testing
import Values

@testable import SourceKinds

@Suite struct ValueLawTests {
  @Test func `V8 V9 onChange is news only when it changed`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.memory + "\n2.5 set memory|machine/total 2000"
        + "\n4.5 absent memory|machine/total noData away\n6.5 set memory|machine/total 2000")
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(7)
    let totals = diary.updates().map { $0.value("total", of: source) }
    #expect(
      totals.map { $0.flags.contains(.isNew) } == [
        true, false, false, true, false, true, false, true,
      ])
    #expect(totals.map(\.sequence) == [1, 1, 1, 2, 2, 3, 3, 4])
    #expect(totals.map(\.time) == (0...7).map { Int64($0) * second })
  }

  @Test func `V9 a restart does not make an old value new`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(1)
    try source.stopUpdating()
    try source.startUpdating(every: second)
    try sim.seek(1)
    let last = diary.updates().last
    #expect(last?.value("total", of: source).flags.contains(.isNew) == false)
    #expect(last?.value("free", of: source).flags.contains(.isNew) == true)
  }

  @Test func `V10 allValues never invents and outlives a stop and a close`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    #expect(source.allValues.count == source.properties.count)
    #expect(source.allValues.allSatisfy { $0.status == .noData && $0.sequence == 0 })
    try source.updateValues()
    let values = source.allValues
    try sim.seek(5)
    #expect(source.allValues == values)
    try sim.context.close()
    #expect(source.allValues == values)
  }

  @Test func `V5 one property's failure is its own business`() throws {
    let sim = try ScriptedContext(ScriptedContext.battery + "\n0 error battery|BAT0/voltage 5")
    let source = try sim.open("battery|BAT0")
    try source.updateValues()
    #expect(source.value("voltage").status == .failed)
    #expect(source.value("voltage").absence?.errno == 5)
    #expect(source.value("level").payload == .double(0.5))
  }

  @Test func `V6 V11 stale keeps its payload and times agree`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.battery + "\n1 absent battery|BAT0/level stale old")
    let source = try sim.open("battery|BAT0")
    try sim.seek(2)
    try source.updateValues()
    let level = source.value("level")
    #expect(level.status == .stale && level.payload == nil && level.value == .double(0.5))
    #expect(level.time == 2 * second && level.realtime == 1_700_000_002 * second)
  }
}
