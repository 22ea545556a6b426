import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Testing
import Values

@testable import SourceKinds

@Suite(.serialized) struct CostTests {
  @Test func `K1 an idle context has nothing to wait for`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let machine = try FixtureMachine(["/proc/meminfo": "MemTotal: 10 kB\n"])
    let context = try Context.open(
      on: machine.machine, loop: machine.loop, catalogue: SourceCatalogue.all)
    var source: Source? = try context.open("memory")
    #expect(machine.loop.nextDue == nil)
    try source?.startUpdating(every: second)
    #expect(machine.loop.nextDue == second)
    try source?.stopUpdating()
    #expect(machine.loop.nextDue == nil)
    try source?.startUpdating(every: second)
    source = nil
    #expect(machine.loop.nextDue == nil)
    let token = try context.watch { _ in }
    #expect(machine.loop.nextDue == second)
    token.end()
    #expect(machine.loop.nextDue == nil)
    withExtendedLifetime(sim) {}
  }

  @Test func `L14 the last stop lets go of the backend`() throws {
    let machine = try FixtureMachine(["/proc/meminfo": "MemTotal: 10 kB\nMemFree: 5 kB\n"])
    let context = try Context.open(
      on: machine.machine, loop: machine.loop, catalogue: SourceCatalogue.all)
    let sources = [try context.open("memory"), try context.open("memory")]
    for source in sources { try source.startUpdating(every: second) }
    // A file that is gone is still there for who holds it open.
    try machine.write("MemTotal: 20 kB\nMemFree: 7 kB\n", to: "/proc/other")
    for source in sources { try source.stopUpdating() }
    try machine.remove("/proc/meminfo")
    try machine.write("MemTotal: 30 kB\nMemFree: 9 kB\n", to: "/proc/meminfo")
    try sources[0].startUpdating(every: second)
    #expect(try sources[0].updateValues()[sources[0].index("free")].payload == .int(9216))
  }
}
