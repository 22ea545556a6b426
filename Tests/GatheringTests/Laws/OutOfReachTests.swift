import Gathering
import Ground
import Machine
import Testing
import Values

private let millisecond: Int64 = 1_000_000
private let timedOut: Int32 = 110
private let notConnected: Int32 = 107
private let io: Int32 = 5

/// Another machine that cannot be reached for a while, and streams that come back late.
@Suite struct OutOfReachTests {
  @Test(arguments: [timedOut, notConnected])
  func `L10 readings that another machine answers too late are no failures`(code: Int32) throws {
    let probe = try ProbeContext(on: .remote)
    let (source, diary) = try probe.open()
    try source.startUpdating(every: second)
    try probe.seek(1)
    probe.device.set { $0.failure = code }
    try probe.seek(10)
    #expect(source.isUpdating)
    #expect(source.value("field").status == .failed)
    probe.device.set { $0.failure = nil }
    try probe.seek(11)
    #expect(source.value("field").status == .ok)
    #expect(!diary.words().contains { $0.hasPrefix("stopped") })
  }

  @Test func `L9 what fails otherwise, or on this machine, still ends a session`() throws {
    for (probe, code) in [
      (try ProbeContext(on: .remote), io), (try ProbeContext(), timedOut),
    ] {
      let (source, diary) = try probe.open()
      try source.startUpdating(every: second)
      try probe.seek(1)
      probe.device.set { $0.failure = code }
      try probe.seek(3)
      #expect(source.isUpdating)
      try probe.seek(4)
      #expect(!source.isUpdating)
      #expect(diary.words().last == "stopped(error)")
    }
  }

  @Test func `L10 a stream that cannot be reopened since its machine is slow is polled meanwhile`()
    throws
  {
    let probe = try ProbeContext(on: .remote)
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    probe.device.set { state in
      state.refusal = .io(errno: timedOut, place: "dev")
      state.failure = timedOut
    }
    probe.device.end(.io(errno: notConnected, place: "dev"))
    try probe.seek(3.5)
    #expect(source.isUpdating)
    #expect(source.availability.detail == "polling only")
    #expect(source.value("field").status == .failed)
    probe.device.set { $0.failure = nil }
    try probe.seek(3.6)
    #expect(source.value("field").payload == .vector(Vector(-1, 0, 0)))
    probe.device.set { $0.refusal = nil }
    try probe.seek(4.5)
    #expect(probe.device.get(\.opened).count == 2)
    #expect(source.availability.detail == "")
    #expect(!diary.words().contains { $0.hasPrefix("stopped") })
  }

  @Test func `L10 a device that another machine does not show is claimed once it does`() throws {
    let probe = try ProbeContext(on: .remote)
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.set { $0.path = nil }
    try source.context.rescan()
    probe.device.set { state in
      state.path = "/one"
      state.claimRefusal = .unavailable(Availability(.disconnected, backend: "iio", errno: 19))
    }
    try probe.seek(2.5)
    #expect(source.isUpdating)
    #expect(source.value("field").status == .noData)
    #expect(probe.device.get(\.opened).count == 1)
    probe.device.set { $0.claimRefusal = nil }
    try probe.seek(5)
    #expect(probe.device.get(\.opened).count == 2)
    #expect(source.availability.detail == "")
    #expect(!diary.words().contains { $0.hasPrefix("stopped") })
  }

  @Test func `A4 a refusal is forgotten with the absence of its instance`() throws {
    let probe = try ProbeContext()
    let (source, _) = try probe.open()
    probe.device.set { $0.refusal = .io(errno: 13, place: "dev") }
    try source.startUpdating(every: 10 * millisecond)
    #expect(source.availability.detail == "polling only")
    probe.device.set { $0.path = nil }
    try source.context.rescan()
    probe.device.set { state in
      state.path = "/one"
      state.refusal = nil
    }
    try source.context.rescan()
    #expect(probe.device.get(\.opened).count == 1)
    #expect(source.availability.detail == "")
  }

  @Test func `L9 a session that outlives a stream that stays broken is polled, and served again`()
    throws
  {
    let probe = try ProbeContext()
    let (source, _) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    probe.device.set { $0.refusal = .io(errno: io, place: "dev") }
    probe.device.end(.io(errno: io, place: "dev"))
    try probe.seek(1.5)
    let (late, _) = try probe.open()
    try late.startUpdating(every: 10 * millisecond)
    try probe.seek(3.5)
    #expect(!source.isUpdating)
    #expect(late.isUpdating)
    #expect(late.availability.detail == "polling only")
    #expect(late.value("field").payload == .vector(Vector(-1, 0, 0)))
    #expect(late.rates.skipped == 0)
    probe.device.set { $0.refusal = nil }
    try probe.seek(4.5)
    #expect(probe.device.get(\.opened).count == 2)
    #expect(late.availability.detail == "")
  }
}
