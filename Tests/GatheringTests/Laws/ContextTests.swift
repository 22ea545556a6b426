import GatheredKitTesting
import Gathering
import Ground
import Testing

@testable import SourceKinds

@Suite struct ContextTests {
  @Test func `C1 a URI that is none names its fault`() {
    for (uri, fault) in [
      ("nothing", "nothing"), ("x:", "x"), ("local:nope=1", "nope"), ("local:root=", "root"),
      ("sim:", "sim"), ("sim:laptop&a=1", "a"), ("sim:laptop&clock=fast", "fast"),
      ("sim:toaster", "toaster"), ("local:root=/no/such/place", "/no/such/place"),
      ("sim:file=/no/such/script", "/no/such/script"), ("local:bus=a&bus=b", "bus"),
    ] {
      do throws(SourceError) {
        _ = try Context.open(uri, catalogue: SourceCatalogue.all)
        Issue.record("\(uri) opened")
      } catch {
        #expect(error.message.contains(fault), "\(uri): \(error.message)")
      }
    }
  }

  @Test func `C4 a captured tree is looked at each second while it is watched`() throws {
    let machine = try FixtureMachine(["/proc/meminfo": "MemTotal: 10 kB\n"])
    let context = try Context.open(
      on: machine.machine, loop: machine.loop, catalogue: SourceCatalogue.all)
    let source = try context.open("memory")
    try machine.remove("/proc/meminfo")
    #expect(machine.loop.nextDue == nil)
    let diary = Diary(source, updates: false)
    _ = diary.take()
    try machine.write("MemTotal: 10 kB\n", to: "/proc/meminfo")
    try context.seek(to: second)
    #expect(diary.words() == ["availability:available"])
    try machine.remove("/proc/meminfo")
    try context.rescan()
    #expect(diary.words() == ["availability:disconnected"])
  }

  @Test func `C6 closing stops, ends and answers closed from then on`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let idle = try sim.open("memory")
    let (diary, quiet) = (Diary(source), Diary(idle))
    let ends = Flags()
    let token = source.addUpdateListener(onEnd: { ends.add(true) }) { _ in }
    try sim.context.invoke(onEnd: { ends.add(true) }) { ends.add(false) }
    try source.startUpdating(every: second)
    try sim.context.close()
    #expect(diary.words() == ["started", "stopped"])
    #expect(quiet.words().isEmpty)
    #expect(ends.values == [true, true])
    try sim.context.close()
    #expect(throws: SourceError.closed) { try source.startUpdating() }
    #expect(throws: SourceError.closed) { try source.stopUpdating() }
    #expect(throws: SourceError.closed) { try source.updateValues() }
    #expect(throws: SourceError.closed) { try sim.context.rescan() }
    #expect(throws: SourceError.closed) { try sim.context.setAllow(.all) }
    #expect(throws: SourceError.closed) { _ = try sim.context.dispatch(timeout: -1) }
    #expect(throws: SourceError.closed) { try sim.context.seek(to: 0) }
    #expect(!source.isUpdating)
    withExtendedLifetime(token) {}
  }

  @Test func `R3 the clock goes forwards only, and delivers on the way`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    try source.startUpdating(every: second)
    try sim.seek(2)
    #expect(sim.context.position == 2 * second)
    #expect(throws: SourceError.self) { try sim.seek(1) }
    #expect(sim.context.position == 2 * second)
    let live = try Context.open("sim:empty", mode: .host, catalogue: SourceCatalogue.all)
    #expect(live.position == nil)
    #expect(throws: SourceError.self) { try live.seek(to: 1) }
  }
}
