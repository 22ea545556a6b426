import Gathering
import Ground
import Testing
import Values

private let millisecond: Int64 = 1_000_000

@Suite struct StreamLawTests {
  @Test func `I6 a session at the hardware's rate gets every sample, in one update`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 5 * millisecond)
    try probe.deliver()
    #expect(probe.device.get(\.opened) == [5 * millisecond])
    #expect(source.rates.granted == 10 * millisecond)
    #expect(source.rates.reason == "the nearest rate of the hardware")
    #expect(diary.updates().map(\.rowCount) == [1])
    probe.device.bring(5, from: 0, at: millisecond)
    probe.device.bring(3, from: 5, at: 51 * millisecond)
    try probe.deliver()
    let update = try #require(diary.updates().last)
    #expect(update.counts == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(update.samples.count == 8 * source.properties.count)
    #expect(update.rows.map { $0[0].sequence } == [2, 3, 4, 5, 6, 7, 8, 9])
    #expect(update.rows.allSatisfy { $0[0].flags.contains(.isNew) })
    #expect(update.rows.allSatisfy { $0[0].clockOrigin == .kernel })
    #expect(update.rows[0].map(\.value)[1...2] == [.string("polled"), .int(7)])
    #expect(update.rows.allSatisfy { !$0[1].flags.contains(.isNew) })
    #expect(source.allValues == update.latest)
    // The refresh was at 0, the rows from 1 ms to 71 ms.
    #expect(source.rates.measured == 71 * millisecond / 8)
  }

  @Test func `I5 I6 a slower session gets the first sample near each point of its grid`() throws {
    let probe = try ProbeContext()
    let (fast, _) = try probe.open()
    let (slow, diary) = try probe.open()
    try slow.startUpdating(every: 1_000 * millisecond)
    #expect(probe.device.get(\.opened).isEmpty)
    try fast.startUpdating(every: 10 * millisecond)
    try slow.startUpdating(every: 35 * millisecond)
    try probe.deliver()
    _ = diary.updates()
    // Points at 35, 70, 105 ms; samples at 1, 11, 21 … ms, half a period being 5 ms.
    probe.device.bring(12, from: 0, at: millisecond)
    try probe.deliver()
    let update = try #require(diary.updates().last)
    #expect(update.counts == [3, 7, 10])
    #expect(probe.device.get(\.opened) == [10 * millisecond])
    try fast.stopUpdating()
    #expect(probe.device.get(\.opened) == [10 * millisecond])
    #expect(probe.device.get(\.cancelled) == 0)
    try slow.stopUpdating()
    #expect(probe.device.get(\.cancelled) == 1)
  }

  @Test func `L18 at most 4096 rows wait, and the next one tells of the gap`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    _ = diary.updates()
    for part in 0..<5 {
      probe.device.bring(
        1_000, from: part * 1_000, at: Int64(part) * 10_000 * millisecond + millisecond)
    }
    try probe.deliver()
    let update = try #require(diary.updates().last)
    #expect(update.rowCount == 4_096)
    #expect(update.counts.first == 904 && update.counts.last == 4_999)
    #expect(update.rows[0][0].flags.contains(.gap))
    #expect(!update.rows[1][0].flags.contains(.gap))
    #expect(source.rates.dropped == 904)
  }

  @Test func `V12 rows older than their predecessor are dropped and counted`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.bring(4, from: 0, at: 100 * millisecond)
    probe.device.bring(4, from: 10, at: 110 * millisecond)
    try probe.deliver()
    let update = try #require(diary.updates().last)
    #expect(update.counts == [0, 1, 2, 3, 12, 13])
    #expect(source.rates.dropped == 2)
    #expect(update.rows[4][0].flags.contains(.gap))
  }

  @Test func `a stream that cannot be had leaves the source polled, and says why`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    probe.device.set {
      $0.refusal = .unavailable(
        Availability(.permissionDenied, detail: "no", errno: 13, remedy: "install the rule"))
    }
    try source.startUpdating(every: 10 * millisecond)
    #expect(source.availability.state == .available)
    #expect(source.availability.detail == "polling only")
    #expect(source.availability.errno == 13)
    #expect(source.availability.remedy == "install the rule")
    try probe.seek(0.05)
    let words = diary.words()
    #expect(words.filter { $0 == "update" }.count == 6)
    #expect(words.first == "started" && words.contains { $0.hasPrefix("availability") })
  }

  @Test func `L9 a broken stream is reopened at once, after 1 s and after 2 s`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.end(.io(errno: 5, place: "dev"))
    try probe.seek(0)
    #expect(probe.device.get(\.opened).count == 2)
    try probe.seek(0.001)
    probe.device.bring(1, from: 0, at: millisecond)
    try probe.deliver()
    #expect(diary.updates().last?.counts == [0])
    probe.device.set { $0.refusal = .io(errno: 5, place: "dev") }
    probe.device.end(.io(errno: 5, place: "dev"))
    try probe.seek(0.9)
    #expect(source.isUpdating && source.value("field").status == .failed)
    try probe.seek(1.1)
    #expect(source.isUpdating)
    try probe.seek(2.9)
    #expect(source.isUpdating)
    try probe.seek(3.1)
    #expect(!source.isUpdating)
    #expect(diary.words().last == "stopped(error)")
  }

  @Test func `the end of a captured file ends the samples, not the source`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.bring(2, from: 0, at: millisecond)
    probe.device.end(nil)
    try probe.seek(10)
    #expect(source.isUpdating)
    #expect(diary.updates().map(\.rowCount) == [1, 2])
    #expect(probe.device.get(\.opened).count == 1)
  }

  @Test func `what is no number is absent in its row alone`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.bring(
      SampleBlock(
        times: [1, 2, 3], origin: .kernel,
        columns: [0: .numbers([1, 1, 1, 2, .infinity, 2, 3, 3, 3], width: 3)]))
    try probe.deliver()
    let update = try #require(diary.updates().last)
    #expect(update.rows.map { $0[0].status } == [.ok, .noData, .ok])
    #expect(update.rows[1][0].absence?.reason == "the sample is not a number")
  }

  @Test func `V5: a row without a number says why, as far as the stream does`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    let nothing = [Double.nan, .nan, .nan]
    var block = SampleBlock(
      times: [1, 2, 3, 4, 5].map { $0 * 10 * millisecond }, origin: .kernel,
      columns: [0: .numbers(nothing + nothing + [1, 1, 1] + nothing + nothing, width: 3)])
    block.absences[0] = [
      .init(from: 0, .noData("asleep")), .init(from: 1, .noData("waking")),
      .init(from: 4, .failed("broken", errno: 5)),
    ]
    // The first row is dated before the newest, and dropped.
    probe.device.bring(1, from: 0, at: 15 * millisecond)
    probe.device.bring(block)
    try probe.deliver()
    let rows = try #require(diary.updates().last).rows.suffix(4).map { $0[0] }
    #expect(rows.map(\.status) == [.noData, .ok, .noData, .failed])
    #expect(rows.map { $0.absence?.reason } == ["waking", nil, "waking", "broken"])
  }

  @Test func `a setting and the start belong to the session that made them`() throws {
    let probe = try ProbeContext()
    let (one, diary) = try probe.open()
    let (other, _) = try probe.open()
    try one.set(.int(50), ofPropertyAt: 3)
    #expect(one.value("offset").payload == .double(50))
    try one.startUpdating(every: 10 * millisecond)
    try other.startUpdating(every: 10 * millisecond)
    probe.device.bring(3, from: 9, at: millisecond)
    try probe.deliver()
    let rows = try #require(diary.updates().last).rows
    // The first reading was -1.
    #expect(rows.map { $0[4].value } == [.double(60), .double(61), .double(62)])
    #expect(rows.map { $0[4].sequence } == [2, 3, 4])
    #expect(other.value("relative").payload == .double(12))
    #expect(other.value("offset").status == .noData)
    #expect(throws: SourceError.self) { try one.set(.double(101), ofPropertyAt: 3) }
    #expect(throws: SourceError.self) { try one.set(.string("1"), ofPropertyAt: 3) }
    #expect(throws: SourceError.self) { try one.set(.int(1), ofPropertyAt: 2) }
  }
}
