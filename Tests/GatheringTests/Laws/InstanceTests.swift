import Gathering
import Testing
import Values

@testable import SourceKinds

@Suite struct InstanceTests {
  @Test func `H1 H2 H5 lists, watchers and what comes and goes`() throws {
    let sim = try ScriptedContext(
      """
      0 add battery|BAT10
      0 add battery|BAT2
      1 remove battery|BAT2
      1 add battery|BAT3
      2 remove battery|BAT10
      2 remove battery|BAT3
      """)
    let names = try sim.context.sources(of: "battery").map(\.id.description)
    #expect(names == ["battery|aggregate", "battery|BAT2", "battery|BAT10"])
    let diary = Diary(try sim.open("memory"), updates: false, events: false)
    diary.keep(try sim.context.watch { diary.write(.event($0)) })
    diary.keep(try sim.context.watch("battery") { _ in })
    #expect(diary.words().isEmpty)
    let ids = {
      diary.take().map { entry in
        if case .event(let event) = entry { "\(event.what.word) \(event.id)" } else { "" }
      }
    }
    try sim.seek(1)
    #expect(ids() == ["removed battery|BAT2", "added battery|BAT3"])
    try sim.context.rescan()
    #expect(ids().isEmpty)
    try sim.seek(2)
    #expect(
      ids() == ["removed battery|aggregate", "removed battery|BAT3", "removed battery|BAT10"])
    #expect(try sim.context.sources(of: "battery").isEmpty)
  }

  @Test func `N4 N5 a known kind always opens, an unknown one names its neighbours`() throws {
    let sim = try ScriptedContext("1 add memory|machine\n1 set memory|machine/total 5")
    #expect(throws: SourceError.self) { try sim.open("memroy") }
    #expect(throws: SourceError.self) { try sim.open("memory|x@there") }
    #expect(throws: SourceError.self) { try sim.open("memory|") }
    #expect(try sim.open("memory|nowhere").availability.state == .noHardware)
    let source = try sim.open("memory")
    let diary = Diary(source)
    #expect(source.id.description == "memory")
    #expect(try source.updateValues().allSatisfy { $0.status == .noData })
    _ = diary.take()
    try sim.seek(1)
    #expect(source.id.description == "memory|machine")
    #expect(diary.words() == ["availability:available"])
    try source.startUpdating()
    try sim.seek(1)
    #expect(source.value("total").payload == .int(5))
  }

  @Test func `H5 a member that comes is an event of the aggregate`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.battery + "\n1 add battery|BAT1\n1 set battery|BAT1/level 0.9"
        + "\n2 remove battery|BAT1")
    let source = try sim.open("battery")
    let diary = Diary(source)
    try source.startUpdating(every: 100 * second)
    try sim.seek(0.5)
    _ = diary.take()
    try sim.seek(1.5)
    #expect(diary.words() == ["update"])
    try sim.seek(2.5)
    #expect(diary.words() == ["update"])
  }
}
