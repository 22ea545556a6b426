import Ground
import Testing
import Values

@testable import Gathering

/// Instances coming, going and changing state in a simulated device.
struct SimulationProviderTests {
  private func names(_ device: SimulatedDevice, _ kind: any SourceKind = Gauge()) -> [String] {
    device.provider.discover(kind).instances.map(\.name)
  }

  @Test func `H1: the aggregate comes first, then natural order`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g10\n0 add gauge|g2\n0 add lamp|b\n0 add lamp|a\n0 add gauge|g2")
    #expect(names(device) == ["aggregate", "g2", "g10"])
    #expect(names(device, Lamp()) == ["a", "b"])
    #expect(device.provider.discover(Gauge()).instances.map(\.isMember) == [false, true, true])
  }

  @Test func `H5: the aggregate comes with the first member and goes with the last`() throws {
    let device = try SimulatedDevice(
      "1 add gauge|g1\n2 add gauge|g2\n3 remove gauge|g1\n4 remove gauge|g2\n5 remove gauge|g2")
    let lists = [0.0, 1, 2, 3, 4, 5].map { moment in
      device.advance(to: moment)
      return names(device)
    }
    #expect(
      lists == [[], ["aggregate", "g1"], ["aggregate", "g1", "g2"], ["aggregate", "g2"], [], []])
  }

  @Test func `A5: a kind without instances says why`() throws {
    let absence = try SimulatedDevice("").provider.discover(Gauge()).absence
    #expect(absence.state == .noHardware)
    #expect(absence.backend == "sim")
    #expect(absence.detail.contains("gauge"))
  }

  @Test func `after remove an instance is gone, and after add all is noData again`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 floor gauge|g1 2\n0 fault gauge|g1 5\n"
        + "0 availability gauge|g1 busy\n1 remove gauge|g1\n1 set gauge|g1/level 3\n"
        + "2 add gauge|g1")
    let gone = try device.instance("g1")
    device.advance(to: 1)
    #expect(throws: SourceError.self) { try device.provider.claim(gone, of: Gauge()) }
    device.advance(to: 2)
    #expect(try device.read("g1").outcomes.allSatisfy { $0.status == .noData })
    #expect(try device.availability("g1") == Availability(.available, backend: "sim"))
    #expect(device.provider.floor(of: gone, of: Gauge()).interval == 1_000_000)
  }

  @Test func `a reader of an instance that went gives noData, and finds it again`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/model \"a\"\n1 remove gauge|g1\n2 add gauge|g1\n"
        + "2 set gauge|g1/model \"b\"")
    let reader = try device.reader("g1")
    var reading = Reading(properties: Gauge().properties.count)
    let request = ReadRequest(scope: .changing, allow: .all)
    device.advance(to: 1)
    reader.read(request, into: &reading)
    #expect(reading.outcomes.allSatisfy { $0.status == .noData })
    device.advance(to: 2)
    reader.read(request, into: &reading)
    #expect(reading[7] == .ok(.string("b")))
  }

  @Test(arguments: Availability.State.allCases)
  func `availability takes every state with its detail, and A1: a remedy`(
    state: Availability.State
  ) throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1\n0 availability gauge|g1 \(state.rawValue) so it is")
    let availability = try device.availability("g1")
    #expect(availability.state == state)
    #expect(availability.detail == "so it is")
    #expect(availability.remedy.isEmpty == (state == .noHardware))
    let status: ValueStatus =
      switch state.group {
      case .available: .ok
      case .unavailable: .noData
      default: .permission
      }
    #expect(try device.outcome("level").status == status)
  }

  @Test func `the permission verb moves through its states`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 permission gauge|g1 ask\n1 permission gauge|g1 grant\n"
        + "2 permission gauge|g1 revoke\n3 permission gauge|g1 ask\n4 permission gauge|g1 deny")
    let states = try [0.0, 1, 2, 3, 4].map { moment in
      device.advance(to: moment)
      let availability = try device.availability("g1")
      #expect(availability.remedy.isEmpty == (availability.state == .available))
      return availability.state
    }
    #expect(
      states == [
        .requiresPermission, .available, .permissionDenied, .requiresPermission,
        .permissionDenied,
      ])
  }

  @Test func `an aggregate is as available as the best of its members, unless told`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 add gauge|g2\n1 availability gauge|g1 busy\n"
        + "2 availability gauge|g2 poweredOff\n3 availability gauge|g2 searching\n"
        + "4 availability gauge|aggregate failed broken")
    let states = try [0.0, 1, 2, 3, 4].map { moment in
      device.advance(to: moment)
      return try device.availability("aggregate").state
    }
    #expect(states == [.available, .available, .busy, .searching, .failed])
  }

  @Test func `C5: 1 ms is granted unless the script sets a floor`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 add gauge|g2\n1 floor gauge|g1 0.25\n2 floor gauge|g1 0")
    let provider = device.provider
    let one = try device.instance("g1")
    let other = try device.instance("g2")
    let all = try device.instance("aggregate")
    #expect(provider.floor(of: one, of: Gauge()).interval == 1_000_000)
    device.advance(to: 1)
    #expect(provider.floor(of: one, of: Gauge()) == (250_000_000, "the driver's floor"))
    #expect(provider.floor(of: all, of: Gauge()).interval == 250_000_000)
    #expect(provider.floor(of: other, of: Gauge()).interval == 1_000_000)
    device.advance(to: 2)
    #expect(provider.floor(of: one, of: Gauge()).interval == 1_000_000)
  }

  // MARK: Notices

  @Test func `changes are told once a moment, instances before values`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n1 set gauge|g1/level 1\n1 set gauge|g1/count 1\n1 add lamp|l\n"
        + "1 add gauge|g2\n1 set gauge|g2/level 1\n2 floor gauge|g1 1\n2 fault gauge|g1 5\n"
        + "3 availability gauge|g1 busy\n4 remove gauge|g1\n4 set gauge|g1/level 1\n"
        + "5 remove gauge|g1\n6 set gauge|aggregate/level 1\n7 clear gauge|g2")
    let log = NoticeLog()
    let watches = device.provider.beginWatching(Gauge(), besides: { nil }) { log.note($0) }
    device.advance(to: 2)
    #expect(log.all == ["instances", "values g1", "values g2"])
    device.advance(to: 10)
    #expect(
      log.all.dropFirst(3) == [
        "instances", "instances", "values aggregate", "values g2",
      ])
    for watch in watches { watch.cancel() }
  }

  @Test func `H2: what goes and comes back in one moment is told as both`() throws {
    let device = try SimulatedDevice(
      "0 add lamp|a\n0 add lamp|b\n1 remove lamp|a\n1 add lamp|a\n1 set lamp|a/light 1")
    let log = NoticeLog()
    let provider = device.provider
    let watches = provider.beginWatching(Lamp(), besides: { nil }) { [weak provider] change in
      log.note(change, listed: provider?.discover(Lamp()).instances.map(\.name) ?? [])
    }
    device.advance(to: 1)
    #expect(log.all == ["instances b", "instances a b", "values a"])
    for watch in watches { watch.cancel() }
  }

  @Test func `each watch hears of its kind until it is cancelled`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g\n0 add lamp|l\n1 set gauge|g/level 1\n1 set lamp|l/light 1\n"
        + "2 set gauge|g/level 2")
    let (gauges, others, lamps) = (NoticeLog(), NoticeLog(), NoticeLog())
    let first = device.provider.beginWatching(Gauge(), besides: { nil }) { gauges.note($0) }
    let second = device.provider.beginWatching(Gauge(), besides: { nil }) { others.note($0) }
    let third = device.provider.beginWatching(Lamp(), besides: { nil }) { lamps.note($0) }
    device.advance(to: 1)
    for watch in first { watch.cancel() }
    device.advance(to: 2)
    #expect(gauges.all == ["values g"])
    #expect(others.all == ["values g", "values g"])
    #expect(lamps.all == ["values l"])
    for watch in second + third { watch.cancel() }
  }

  @Test func `lines act before what was scheduled later for the same moment`() throws {
    let device = try SimulatedDevice("0 add gauge|g1\n1 set gauge|g1/level 1")
    let log = NoticeLog()
    let provider = device.provider
    let tick = device.loop.schedule(at: Moment(nanoseconds: 1_000_000_000)) {
      let instance = provider.discover(Gauge()).instances[1]
      var reading = Reading(properties: Gauge().properties.count)
      let reader = try? provider.claim(instance, of: Gauge())
      reader?.read(ReadRequest(scope: .changing, allow: .none), into: &reading)
      log.append("\(reading[0].value)")
    }
    device.advance(to: 1)
    #expect(log.all == ["1"])
    tick.cancel()
  }

  @Test func `a device that is let go leaves nothing on the loop`() throws {
    let loop = VirtualLoop()
    var provider: SimulationProvider? = SimulationProvider(
      try Script(
        parsing: "0 add lamp|l\n5 set lamp|l/light 1\n9223372036.854775807 remove lamp|l".utf8,
        catalogue: SimulatedDevice.catalogue),
      catalogue: SimulatedDevice.catalogue, loop: loop)
    weak let witness = provider
    #expect(loop.nextDue == 5_000_000_000)
    provider = nil
    #expect(witness == nil)
    #expect(loop.nextDue == nil)
  }
}
