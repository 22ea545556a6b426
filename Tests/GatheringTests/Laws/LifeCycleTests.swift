import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct LifeCycleTests {
  @Test func `L1 L2 L3 a start tells before it returns and refreshes first`() throws {
    let sim = try ScriptedContext(ScriptedContext.battery)
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    let seen = Flags()
    diary.keep(
      source.addEventListener { [unowned source] _ in
        seen.add(source.isUpdating)
        seen.add(source.updateInterval == 3 * second)
      })
    #expect(!source.isUpdating && source.updateInterval == nil)
    try source.startUpdating(every: 3 * second)
    #expect(diary.words() == ["started"])
    #expect(seen.values == [true, true])
    #expect(source.value("level").status == .noData)
    #expect(source.value("level").absence?.reason == "no reading yet")
    #expect(try sim.context.dispatch(timeout: 0) == 1)
    let updates = diary.updates()
    #expect(updates.count == 1)
    #expect(updates.first?.samples.count == source.properties.count)
    #expect(updates.first?.value("level", of: source).payload == .double(0.5))
  }

  @Test func `L4 I4 one update a tick on the grid`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let diary = Diary(source)
    try sim.seek(0.25)
    try source.startUpdating(every: second / 2)
    try sim.seek(0.25)
    #expect(diary.words() == ["started", "update"])
    try sim.seek(2.25)
    let times = diary.updates().map { $0.value("free", of: source).time }
    #expect(times == [750_000_000, 1_250_000_000, 1_750_000_000, 2_250_000_000])
  }

  @Test func `L5 a restart kills the old schedule and says nothing`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(0.6)
    _ = diary.take()
    try source.startUpdating(every: second)
    #expect(diary.words().isEmpty)
    try sim.seek(0.6)
    #expect(diary.words() == ["update"])
    try sim.seek(1.5)
    #expect(diary.words().isEmpty)
    try sim.seek(1.6)
    #expect(diary.words() == ["update"])
  }

  @Test func `L6 nothing comes after a stop, though it was queued`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try source.stopUpdating()
    #expect(diary.words() == ["started", "stopped"])
    #expect(try sim.context.dispatch(timeout: 0) == 0)
    try source.stopUpdating()
    try sim.seek(5)
    #expect(diary.words().isEmpty)
    #expect(source.rates.dropped == 0)
  }

  @Test func `L7 a listener stays although its start failed`() throws {
    let sim = try ScriptedContext("0 add battery|BAT0\n0 availability battery|BAT0 busy x")
    let source = try sim.open("battery|BAT0")
    let count = Flags()
    let token = try source.startUpdating(every: second) { _ in count.add(true) }
    #expect(token.isConnected && !source.isUpdating)
    try source.updateValues()
    #expect(count.values == [true])
    #expect(throws: SourceError.self) {
      _ = try source.startUpdating(every: 0) { _ in count.add(false) }
    }
    token.end()
    try source.updateValues()
    #expect(count.values == [true])
  }

  @Test func `L8 updateValues reads beside the schedule and notifies once`() throws {
    let sim = try ScriptedContext(ScriptedContext.battery)
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    #expect(try source.updateValues()[source.index("level")].payload == .double(0.5))
    #expect(diary.words() == ["update"])
    #expect(source.state == .idle)
    try source.startUpdating(every: second)
    try sim.seek(0.4)
    _ = diary.take()
    try source.updateValues()
    #expect(diary.words() == ["update"])
    try sim.seek(1)
    #expect(diary.words() == ["update"])
  }

  @Test func `L8 while waiting every value is permission`() throws {
    let sim = try ScriptedContext("0 add battery|BAT0\n0 permission battery|BAT0 ask")
    let source = try sim.open("battery|BAT0")
    try source.startUpdating(every: second)
    #expect(source.state == .waiting)
    let values = try source.updateValues()
    #expect(values.allSatisfy { $0.status == .permission && $0.absence?.remedy.isEmpty == false })
    #expect(source.state == .waiting)
  }

  @Test func `L9 three failed readings in a row end the session`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.memory + "\n2.5 fault memory|machine 5\n4.5 clear memory|machine"
        + "\n6.5 fault memory|machine 5")
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(6)
    #expect(diary.words() == ["started"] + Array(repeating: "update", count: 7))
    try sim.seek(8.5)
    let failed = diary.updates()
    #expect(failed.count == 2)
    #expect(
      failed.allSatisfy {
        let free = $0.value("free", of: source)
        return free.status == .failed && free.absence?.errno == 5
      })
    try sim.seek(20)
    let last = diary.take()
    guard last.count == 2, case .update = last[0], case .event(let event) = last[1] else {
      Issue.record("\(last.count) entries")
      return
    }
    guard case .stopped(.unavailable(let availability)?) = event.what else {
      Issue.record("\(event.what)")
      return
    }
    #expect(availability.errno == 5 && !availability.remedy.isEmpty)
    #expect(!source.isUpdating)
  }

  @Test func `L9 the refresh counts first and the start succeeds all the same`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory + "\n0 fault memory|machine 5")
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    // What was asked for counts for nothing.
    try source.updateValues()
    try source.updateValues()
    try sim.seek(1)
    #expect(source.isUpdating)
    _ = diary.take()
    try sim.seek(5)
    #expect(diary.words() == ["update", "stopped(error)"])
  }

  @Test func `L9 a session that shares readings counts each failed one once`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory + "\n0.5 fault memory|machine 5")
    let slow = try sim.open("memory")
    let fast = try sim.open("memory")
    let diary = Diary(slow)
    try slow.startUpdating(every: 1_500_000_000)
    try fast.startUpdating(every: second)
    try sim.seek(4.4)
    #expect(!fast.isUpdating && slow.isUpdating)
    try sim.seek(4.6)
    #expect(!slow.isUpdating)
    #expect(diary.words() == ["started", "update", "update", "update", "update", "stopped(error)"])
  }

  @Test func `L13 a later start begins afresh`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory + "\n0 fault memory|machine 5")
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(1.5)
    try source.stopUpdating()
    try source.startUpdating(every: second)
    try sim.seek(3.4)
    #expect(source.isUpdating)
    try sim.seek(3.6)
    #expect(!source.isUpdating)
    #expect(diary.words().last == "stopped(error)")
  }

  @Test func `L14 sessions are private and the last stop releases`() throws {
    let machine = try FixtureMachine(["/proc/meminfo": "MemTotal: 10 kB\nMemFree: 5 kB\n"])
    let context = try Context.open(
      on: machine.machine, loop: machine.loop, catalogue: SourceCatalogue.all)
    let one = try context.open("memory")
    let two = try context.open("memory")
    let diary = Diary(two)
    try one.startUpdating(every: second)
    try two.startUpdating(every: 2 * second)
    try context.seek(to: second / 2)
    #expect(diary.words() == ["started", "update"])
    try one.startUpdating(every: second)
    try one.updateValues()
    try one.stopUpdating()
    #expect(diary.words().isEmpty)
    #expect(two.isUpdating)
    try context.seek(to: 2 * second)
    #expect(diary.words() == ["update"])
    let before = machine.files.reads(of: "/proc/meminfo")
    try two.stopUpdating()
    try context.seek(to: 9 * second)
    #expect(machine.files.reads(of: "/proc/meminfo") == before)
  }

  @Test func `a source that is released says nothing more`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    var source: Source? = try sim.open("memory")
    guard let diary = source.map({ Diary($0) }) else { return }
    try source?.startUpdating(every: second)
    _ = diary.take()
    source = nil
    try sim.seek(3)
    #expect(diary.words().isEmpty)
  }

  @Test func `a kind measured once stops by itself`() throws {
    let machine = try FixtureMachine()
    let context = try Context.open(
      on: machine.machine, loop: machine.loop, catalogue: [OneShotKind()])
    let source = try context.open("shot")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try context.seek(to: 0)
    #expect(diary.words() == ["started", "update", "stopped"])
    try source.startUpdating(every: second)
    try context.seek(to: 9 * second)
    #expect(diary.words() == ["started", "update", "stopped"])
  }
}

/// One value, then nothing.
private struct OneShotKind: SourceKind {
  let kind = "shot"
  let name = "Shot"
  let properties = [Property("value", .int, unit: "1", .oneShot)]
  let intervals = Intervals(seconds: 1, minimum: 1)

  func discover(on machine: Machine) -> Discovery {
    let available = Availability(.available, backend: "test")
    return Discovery([Instance("one", availability: available)], orElse: available)
  }

  func open(_ instance: Instance, on machine: Machine) throws(SourceError) -> (any InstanceReader)?
  {
    Reader()
  }

  private final class Reader: InstanceReader {
    func read(_ request: ReadRequest, into reading: inout Reading) { reading[0] = .ok(.int(1)) }
    func raw(ofPropertyAt index: Int) -> RawValue? { nil }
  }
}
