import Gathering
import Ground
import Testing

@testable import SourceKinds

@Suite struct ListenerTests {
  @Test func `L15 listeners are called in order, late ones wait, ended ones rest`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let calls = Lock<[String]>([])
    let tokens = Lock<[ListenerToken]>([])
    let second = Lock<ListenerToken?>(nil)
    let first = source.addUpdateListener { [unowned source] _ in
      calls.withLock { $0.append("first") }
      second.withLock { $0 }?.end()
      let late = source.addUpdateListener { _ in calls.withLock { $0.append("late") } }
      tokens.withLock { if $0.isEmpty { $0.append(late) } }
    }
    let other = source.addUpdateListener { _ in calls.withLock { $0.append("second") } }
    second.withLock { $0 = other }
    let third = source.addUpdateListener { _ in calls.withLock { $0.append("third") } }
    try source.updateValues()
    #expect(calls.withLock { $0 } == ["first", "third"])
    try source.updateValues()
    #expect(calls.withLock { $0 } == ["first", "third", "first", "third", "late"])
    withExtendedLifetime((first, third)) {}
  }

  @Test func `L16 while a listener runs allValues equals what was delivered`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let seen = Flags()
    let token = source.addUpdateListener { [unowned source] update in
      seen.add(source.allValues == update.samples)
    }
    try source.startUpdating(every: Int64(1_000_000_000))
    try sim.seek(3)
    #expect(seen.values == [true, true, true, true])
    token.end()
  }

  @Test func `L17 events are hot`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    try source.startUpdating()
    let diary = Diary(source, updates: false)
    try sim.seek(1)
    #expect(diary.words().isEmpty)
  }

  @Test func `L18 the newest update wins and tells of what was lost`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    // Refreshes that have not been dispatched.
    for _ in 0..<3 { try source.startUpdating(every: second) }
    #expect(source.rates.dropped == 3)
    #expect(try sim.context.dispatch(timeout: 0) == 1)
    let updates = diary.updates()
    #expect(updates.count == 1)
    let total = updates[0].value("total", of: source)
    #expect(total.flags.contains([.isNew, .gap]))
    try sim.seek(1)
    #expect(diary.updates().first?.value("total", of: source).flags == [])
  }

  @Test func `T4 T5 what a callback causes follows it`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let diary = Diary(source)
    let log = Lock<[String]>([])
    diary.keep(
      source.addUpdateListener { [unowned source] _ in
        try? source.stopUpdating()
        let word = source.isUpdating ? "updating" : "idle"
        let isFirst = log.withLock { log in
          log.append(word)
          return log.count == 1
        }
        if isFirst { _ = try? source.updateValues() }
      })
    try source.startUpdating(every: second)
    try sim.seek(0)
    // The update it asks for is delivered after the stop it asked for first.
    #expect(diary.words() == ["started", "update", "stopped", "update"])
    #expect(log.withLock { $0 } == ["idle", "idle"])
  }

  @Test func `T1 a context is not closed nor moved inside its callback`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let errors = Lock<[SourceError]>([])
    let note = { @Sendable (error: SourceError) in errors.withLock { $0.append(error) } }
    let context = sim.context
    let token = source.addUpdateListener { [unowned context] _ in
      do throws(SourceError) { try context.close() } catch { note(error) }
      do throws(SourceError) { try context.seek(to: 5 * second) } catch { note(error) }
      do throws(SourceError) { _ = try context.dispatch(timeout: 0) } catch { note(error) }
      do throws(SourceError) { try context.flush(timeout: 0) } catch { note(error) }
    }
    try source.updateValues()
    let found = errors.withLock { $0 }
    #expect(found.count == 4)
    for error in found {
      guard case .wrongThread = error else {
        Issue.record("\(error)")
        continue
      }
    }
    token.end()
  }

  @Test func `what a listener held is let go once, after its last call`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let ends = Flags()
    let token = Lock<ListenerToken?>(nil)
    let listener = source.addUpdateListener(onEnd: { ends.add(true) }) { _ in
      token.withLock { $0 }?.end()
      ends.add(false)
    }
    token.withLock { $0 = listener }
    try source.updateValues()
    try source.updateValues()
    #expect(ends.values == [false, true])
  }
}
