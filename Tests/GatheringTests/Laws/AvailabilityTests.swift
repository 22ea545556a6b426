import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct AvailabilityTests {
  @Test func `4.13 without a battery a reading by hand still tells of external power`() throws {
    let fixture = try FixtureMachine([
      "/sys/class/power_supply/AC/type": "Mains\n", "/sys/class/power_supply/AC/online": "1\n",
    ])
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [Battery()])
    let source = try context.open("battery")
    for isOn in [true, false, true] {
      try fixture.write(isOn ? "1\n" : "0\n", to: "/sys/class/power_supply/AC/online")
      try source.updateValuesInPlace()
      #expect(source.availability.state == .noHardware)
      #expect(source.value("external_power").payload == .bool(isOn))
      #expect(source.value("level").status == .noData)
    }
    #expect(throws: SourceError.self) { try source.startUpdating(every: 5_000_000_000) }
  }

  @Test func `L10 absence is no failure`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.battery + """

        1.5 remove battery|BAT0
        3.5 add battery|BAT0
        3.5 set battery|BAT0/level 0.7
        """)
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(1.4)
    let before = source.value("level").sequence
    _ = diary.take()
    try sim.seek(1.5)
    let entries = diary.take()
    guard entries.count == 2, case .event(let event) = entries[0],
      case .update(let update) = entries[1]
    else {
      Issue.record("\(entries.count) entries")
      return
    }
    #expect(event.what.word == "availability:disconnected")
    #expect(update.samples[source.index("level")].status == .noData)
    #expect(update.samples.allSatisfy { $0.status == .noData || $0.status == .permission })
    #expect(source.isUpdating)
    try sim.seek(3.4)
    #expect(diary.updates().allSatisfy { $0.samples.allSatisfy { !$0.flags.contains(.isNew) } })
    try sim.seek(3.5)
    #expect(diary.words().prefix(2) == ["availability:available", "update"])
    #expect(source.value("level").payload == .double(0.7))
    // V8: the absence had a number of its own.
    #expect(source.value("level").sequence > before + 1)
    try sim.seek(5)
    #expect(diary.words() == ["update", "update"])
  }

  @Test func `L10 power off and on`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.battery
        + "\n1.5 availability battery|BAT0 poweredOff asleep"
        + "\n2.5 availability battery|BAT0 available"
    )
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    try source.startUpdating(every: 10 * second)
    try sim.seek(1)
    _ = diary.take()
    try sim.seek(2)
    #expect(source.value("level").absence?.reason == "asleep")
    #expect(diary.words() == ["availability:poweredOff", "update"])
    try sim.seek(3)
    #expect(diary.words() == ["availability:available", "update"])
  }

  @Test func `L11 a revoked permission ends the session`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.battery + "\n1.5 permission battery|BAT0 revoke")
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    try source.startUpdating(every: second)
    try sim.seek(1)
    _ = diary.take()
    try sim.seek(9)
    #expect(diary.words() == ["availability:permissionDenied", "update", "stopped(error)"])
    #expect(source.allValues.allSatisfy { $0.status == .permission })
  }

  @Test func `L12 waiting ends by a grant or a refusal`() throws {
    for (answer, expected) in [
      ("grant", ["availability:available", "started", "update"]),
      ("deny", ["availability:permissionDenied", "failedToStart"]),
    ] {
      let sim = try ScriptedContext(
        ScriptedContext.battery + "\n0 permission battery|BAT0 ask"
          + "\n1 permission battery|BAT0 \(answer)")
      let source = try sim.open("battery|BAT0")
      let diary = Diary(source)
      try source.startUpdating(every: 10 * second)
      #expect(diary.words() == ["permissionRequested"])
      #expect(source.state == .waiting && source.updateInterval == nil)
      try sim.seek(2)
      #expect(diary.words() == expected)
      #expect(source.state == (answer == "grant" ? .updating : .idle))
    }
  }

  @Test func `L12 a known no fails at once, and a stop while waiting is silent`() throws {
    let sim = try ScriptedContext(
      "0 add battery|BAT0\n0 permission battery|BAT0 deny\n1 permission battery|BAT0 ask"
        + "\n3 permission battery|BAT0 grant")
    let source = try sim.open("battery|BAT0")
    let diary = Diary(source)
    #expect(throws: SourceError.self) { try source.startUpdating(every: second) }
    #expect(diary.words() == ["failedToStart"])
    try sim.seek(2)
    try source.startUpdating(every: second)
    try source.stopUpdating()
    #expect(diary.words() == ["availability:requiresPermission", "permissionRequested"])
    try sim.seek(5)
    #expect(diary.words() == ["availability:available"])
    #expect(source.state == .idle)
  }

  @Test func `A1 A5 every absence has a remedy, and a kind speaks for its instances`() throws {
    for uri in ["sim:empty", "sim:laptop", "sim:phone"] {
      let context = try Context.open(
        uri + "&clock=manual", mode: .host, catalogue: SourceCatalogue.all)
      for kind in SourceCatalogue.all {
        let source = try context.open(kind.kind)
        let availability = source.availability
        let mayLack = [.available, .noHardware].contains(availability.state)
        #expect(mayLack || !availability.remedy.isEmpty)
        if uri == "sim:empty" {
          #expect(availability.state == .noHardware)
          #expect(source.allValues.allSatisfy { $0.status == .noData })
        }
      }
    }
  }

  @Test func `an idle source tells of a change, with or without listeners`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.battery + "\n1 availability battery|BAT0 busy camerad has it")
    let quiet = try sim.open("battery|BAT0")
    let heard = try sim.open("battery|BAT0")
    let diary = Diary(heard)
    try sim.seek(1)
    #expect(quiet.availability.state == .busy && quiet.availability.detail == "camerad has it")
    #expect(diary.words() == ["availability:busy"])
  }

  @Test func `A4 an absence without news is kept for a second, by updates on request too`() throws {
    let coming = ComingKind()
    let folder = try TemporaryFolder()
    try folder.write([], to: "/proc/meminfo")
    let context = try Context.open("local:root=\(folder.path)", catalogue: [coming])
    let source = try context.open("coming")
    for _ in 0..<10_000 { try source.updateValuesInPlace() }
    // One at the opening, one at the first update, and one a second.
    #expect(coming.looks.withLock { $0 } < 1000)
    #expect(source.value("state").absence?.reason == "not yet")
    coming.isThere.withLock { $0 = true }
    #expect(
      Patience.wait {
        try? source.updateValuesInPlace()
        return source.value("state").payload == .bool(true)
      })
  }
}

/// A kind whose only instance appears when the test says so.
private struct ComingKind: SourceKind {
  let kind = "coming"
  let name = "Coming"
  let properties = [Property("state", .bool, .onChange)]
  let intervals = Intervals(seconds: 1, minimum: 0.1)
  let isThere = Monitor(false)
  let looks = Monitor(0)

  func discover(on machine: Machine) -> Discovery {
    looks.withLock { $0 += 1 }
    let isThere = isThere.withLock { $0 }
    let instance = Instance("a", availability: Availability(.available, backend: "test"))
    return Discovery(
      isThere ? [instance] : [], orElse: Availability(.noHardware, detail: "not yet"))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { ComingReader() }
}

private final class ComingReader: InstanceReader {
  func read(_ request: ReadRequest, into reading: inout Reading) { reading[0] = .ok(.bool(true)) }
  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
