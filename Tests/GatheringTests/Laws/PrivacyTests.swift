import Gathering
import Testing
import Values

@testable import SourceKinds

@Suite struct PrivacyTests {
  @Test func `P1 a personal value is withheld and its neighbours flow`() throws {
    let sim = try ScriptedContext(ScriptedContext.battery)
    let source = try sim.open("battery|BAT0")
    try source.updateValues()
    let serial = source.value("serial")
    #expect(serial.status == .permission && serial.value == .none)
    #expect(serial.absence?.remedy == "open the context with allow=serial")
    #expect(source.value("level").payload == .double(0.5))
    #expect(source.rawValue(ofPropertyAt: source.index("serial")) == nil)
  }

  @Test func `P3 P4 an allowance acts at once, both ways`() throws {
    let sim = try ScriptedContext(ScriptedContext.battery)
    let source = try sim.open("battery|BAT0")
    let idle = try sim.open("battery|BAT0")
    let diary = Diary(source)
    try source.startUpdating(every: 100 * second)
    try sim.seek(0)
    _ = diary.take()
    try sim.context.setAllow(.none)
    try sim.context.setAllow(try Allowance(parsing: "ssid"))
    try sim.seek(0)
    #expect(diary.words().isEmpty)
    try sim.context.setAllow(.all)
    try sim.seek(0)
    #expect(diary.words() == ["update"])
    #expect(source.value("serial").payload == .string("SECRET42"))
    try idle.updateValues()
    #expect(idle.value("serial").payload == .string("SECRET42"))
    // What was gathered and not delivered must not show it either.
    try source.startUpdating(every: 100 * second)
    try sim.context.setAllow(.none)
    #expect(idle.value("serial").status == .permission)
    #expect(source.value("serial").status == .permission)
    try sim.seek(0)
    let updates = diary.updates()
    #expect(updates.count == 1)
    #expect(updates.allSatisfy { $0.value("serial", of: source).status == .permission })
    #expect(updates.first?.value("serial", of: source).flags.contains(.isNew) == true)
    #expect(source.rawValue(ofPropertyAt: source.index("serial")) == nil)
    let report = try sim.context.report()
    #expect(!"\(report)".contains("SECRET42"))
  }
}
