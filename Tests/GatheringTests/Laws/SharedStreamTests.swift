import Gathering
import Ground
import Testing
import Values

private let millisecond: Int64 = 1_000_000

/// Sessions that share a stream: none of them is worse off for another (sources L14).
@Suite struct SharedStreamTests {
  @Test func `I3 hardware of one rate grants each session what it asks, thinned`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.interval = 2 * millisecond }
    let (slow, diary) = try probe.open()
    let (fast, _) = try probe.open()
    func expectOwnRate(_ line: Int) {
      #expect(slow.rates.granted == 20 * millisecond, "line \(line)")
      #expect(slow.rates.reason == "", "line \(line)")
    }
    try slow.startUpdating(every: 20 * millisecond)
    expectOwnRate(#line)
    probe.device.bring(25, from: 1, at: 2 * millisecond, step: 2 * millisecond)
    try fast.startUpdating(every: millisecond)
    expectOwnRate(#line)
    #expect(fast.rates.granted == 2 * millisecond)
    #expect(fast.rates.reason == "the nearest rate of the hardware")
    probe.device.bring(25, from: 26, at: 52 * millisecond, step: 2 * millisecond)
    try fast.stopUpdating()
    expectOwnRate(#line)
    probe.device.bring(25, from: 51, at: 102 * millisecond, step: 2 * millisecond)
    try probe.deliver()
    try slow.stopUpdating()
    try slow.startUpdating(every: 20 * millisecond)
    expectOwnRate(#line)
    try probe.deliver()
    let rows = diary.updates().flatMap(\.rows)
    #expect(rows.allSatisfy { !$0[0].flags.contains(.gap) })
    #expect(rows.map { $0[0].value.vector?.x }.dropLast() == [-1, 10, 20, 30, 40, 50, 60, 70])
    #expect(probe.device.get(\.opened).count == 2)
    #expect(probe.device.get(\.cancelled) == 1)
  }

  @Test func `I3 hardware of several rates grants the nearest of each session's own`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.choices = [2, 10, 40].map { $0 * millisecond } }
    let (slow, diary) = try probe.open()
    let (fast, _) = try probe.open()
    try slow.startUpdating(every: 15 * millisecond)
    #expect(slow.rates.granted == 10 * millisecond)
    #expect(slow.rates.reason == "the nearest rate of the hardware")
    // The hardware has no rate between, so that nothing changes.
    try fast.startUpdating(every: 12 * millisecond)
    #expect(probe.device.get(\.quickened).isEmpty)
    probe.device.bring(2, from: 1, at: 10 * millisecond)
    try fast.startUpdating(every: 3 * millisecond)
    #expect(probe.device.get(\.quickened) == [3 * millisecond])
    #expect(fast.rates.granted == 2 * millisecond)
    #expect(slow.rates.granted == 10 * millisecond)
    var block = SampleBlock(
      times: (15...20).map { $0 * 2 * millisecond }, origin: .kernel,
      columns: [0: .numbers((15...20).flatMap { [Double($0), 0, 0] }, width: 3)], hasGap: true)
    probe.device.bring(block)
    try fast.stopUpdating()
    block.times = (21...25).map { $0 * 2 * millisecond }
    block.columns = [0: .numbers((21...25).flatMap { [Double($0), 0, 0] }, width: 3)]
    block.hasGap = false
    probe.device.bring(block)
    #expect(slow.rates.granted == 10 * millisecond)
    #expect(probe.device.get(\.opened) == [15 * millisecond])
    #expect(probe.device.get(\.cancelled) == 0)
    try probe.deliver()
    let rows = diary.updates().flatMap(\.rows)
    #expect(rows.map { $0[0].time / millisecond } == [0, 10, 20, 30, 40, 50])
    #expect(rows.map { $0[0].flags.contains(.gap) } == [false, false, false, true, false, false])
    #expect(slow.rates.dropped == 0)
  }

  @Test func `hardware that will not go faster stays as it is, and nothing ends`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.choices = [2, 10].map { $0 * millisecond } }
    let (slow, diary) = try probe.open()
    let (fast, _) = try probe.open()
    try slow.startUpdating(every: 10 * millisecond)
    probe.device.set { $0.refusal = .io(errno: 16, place: "dev") }
    try fast.startUpdating(every: 2 * millisecond)
    probe.device.bring(3, from: 1, at: 10 * millisecond)
    try probe.deliver()
    #expect(slow.availability.detail == "")
    #expect(diary.updates().flatMap(\.counts) == [-1, 1, 2, 3])
    #expect(fast.isUpdating && fast.value("field").payload == .vector(Vector(3, 0.5, -1)))
    #expect(probe.device.get(\.cancelled) == 0)
  }

  @Test func `I6 the refresh a stream begins with is not followed by a row of its time`() throws {
    let probe = try ProbeContext()
    let (one, first) = try probe.open()
    let (other, second) = try probe.open()
    try probe.seek(0.1)
    probe.device.set { $0.polled = 5 }
    try one.startUpdating(every: 10 * millisecond)
    probe.device.bring(3, from: 5, at: 100 * millisecond)
    try other.startUpdating(every: 10 * millisecond)
    probe.device.bring(2, from: 8, at: 130 * millisecond)
    try probe.deliver()
    for (diary, counts) in [(first, [5.0, 6, 7, 8, 9]), (second, [7, 8, 9])] {
      let rows = diary.updates().flatMap(\.rows)
      #expect(rows.map { $0[0].value.vector?.x } == counts)
      #expect(Set(rows.map { $0[0].time }).count == rows.count)
      #expect(rows.allSatisfy { !$0[0].flags.contains(.gap) })
    }
    #expect(one.rates.dropped == 0 && other.rates.dropped == 0)
  }

  @Test func `rows of one time that the hardware brings are all delivered`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.bring(3, from: 1, at: millisecond, step: 0)
    probe.device.bring(2, from: 4, at: millisecond, step: 0)
    try probe.deliver()
    #expect(diary.updates().flatMap(\.counts) == [-1, 1, 2, 3, 4, 5])
  }

  @Test func `L3 rows that come before a session's refresh are not its own`() throws {
    let probe = try ProbeContext()
    let (one, first) = try probe.open()
    let (other, second) = try probe.open()
    try one.startUpdating(every: 10 * millisecond)
    probe.device.set { state in
      state.onRead = { [device = probe.device] in
        device.set { $0.onRead = nil }
        device.bring(2, from: 1, at: 10 * millisecond)
      }
    }
    try other.startUpdating(every: 10 * millisecond)
    probe.device.bring(1, from: 3, at: 30 * millisecond)
    try probe.deliver()
    #expect(first.updates().flatMap(\.counts) == [-1, 1, 2, 3])
    #expect(second.updates().flatMap(\.counts) == [2, 3])
  }

  @Test func `what was lost before a session began is not counted against it`() throws {
    let probe = try ProbeContext()
    let (one, first) = try probe.open()
    let (other, diary) = try probe.open()
    try one.startUpdating(every: 10 * millisecond)
    probe.device.bring(2, from: 1, at: 100 * millisecond)
    probe.device.bring(2, from: 1, at: 50 * millisecond)
    try other.startUpdating(every: 10 * millisecond)
    probe.device.bring(2, from: 3, at: 120 * millisecond)
    try probe.deliver()
    #expect(one.rates.dropped == 2)
    #expect(other.rates.dropped == 0)
    let gaps = { (diary: Diary) in
      diary.updates().flatMap(\.rows).map { $0[0].flags.contains(.gap) }
    }
    #expect(gaps(diary) == [false, false, false])
    #expect(gaps(first) == [false, false, false, true, false])
  }

  @Test func `a stream that broke is followed by a gap`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.bring(2, from: 1, at: 10 * millisecond)
    probe.device.end(.io(errno: 5, place: "dev"))
    try probe.seek(0.04)
    probe.device.bring(2, from: 5, at: 50 * millisecond)
    try probe.deliver()
    let rows = diary.updates().flatMap(\.rows)
    #expect(rows.map { $0[0].flags.contains(.gap) } == [false, false, false, true, false])
  }

  @Test func `I4 a polled session keeps its grid when a stream of another has ended`() throws {
    let probe = try ProbeContext()
    let (slow, diary) = try probe.open()
    let (fast, _) = try probe.open()
    try slow.startUpdating(every: 200 * millisecond)
    try fast.startUpdating(every: 10 * millisecond)
    #expect(slow.rates.granted == 200 * millisecond)
    probe.device.bring(25, from: 1, at: 10 * millisecond)
    try probe.seek(0.25)
    try fast.stopUpdating()
    #expect(slow.rates.granted == 200 * millisecond)
    try probe.seek(0.65)
    let times = diary.updates().flatMap(\.rows).map { $0[0].time / millisecond }
    #expect(times == [0, 200, 400, 600])
    #expect(slow.rates.skipped == 0)
  }

  @Test func `behind the end of a captured file a polled session has its ticks`() throws {
    let probe = try ProbeContext()
    let (slow, diary) = try probe.open()
    let (fast, rows) = try probe.open()
    try slow.startUpdating(every: 200 * millisecond)
    try fast.startUpdating(every: 10 * millisecond)
    probe.device.bring(10, from: 1, at: 10 * millisecond)
    probe.device.end(nil)
    try probe.seek(0.65)
    let updates = diary.updates().flatMap(\.rows)
    #expect(updates.map { $0[0].time / millisecond } == [0, 200, 400, 600])
    #expect(updates.allSatisfy { $0[0].flags.contains(.isNew) })
    #expect(rows.updates().flatMap(\.rows).count == 11)
    #expect(fast.isUpdating)
  }

  @Test func `a tap has what a listener was too slow for, and no gap`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    let tap = CollectingTap()
    source.add(tap)
    try source.startUpdating(every: 500 * millisecond)
    for step in 1...3 { try probe.hold(until: Double(step)) }
    #expect(tap.kept.withLock { $0.count } == 7)
    #expect(tap.kept.withLock { $0.allSatisfy { !$0[0].flags.contains(.gap) } })
    #expect(source.rates.dropped == 6)
    try probe.deliver()
    #expect(diary.updates().map { $0.samples[0].flags.contains(.gap) } == [true])
  }
}

/// Keeps what a session hands on as it is gathered.
private final class CollectingTap: UpdateTap {
  let kept = Monitor<[[Sample]]>([])

  func store(_ block: Block, from session: UInt32) {
    kept.withLock { $0.append(block.samples) }
  }

  func store(_ rows: RowSlice, from session: UInt32) {
    kept.withLock { $0 += (0..<rows.rowCount).map { rows.samples(ofRow: $0) } }
  }
}
