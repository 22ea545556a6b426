import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// What the kernel tells of single instances while they update.
@Suite struct NoticeTests {
  private let fixture: FixtureMachine
  private let context: Context
  private let lid = ChangeTopic.switches(path: "/dev/input/event0")
  private let dock = ChangeTopic.switches(path: "/dev/input/event1")

  init() throws {
    fixture = try FixtureMachine(
      [
        "/sys/class/input/event0/device/capabilities/sw": "1\n",
        "/sys/class/input/event0/device/name": "Lid\n",
        "/sys/class/input/event1/device/capabilities/sw": "21\n",
        "/sys/class/input/event1/device/name": "Dock\n",
        "/.gkit/switches": "event0 0\nevent1 0\n",
      ], nature: .live)
    context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [Switches()])
  }

  private func deliver() throws { while try context.dispatch(timeout: 0) > 0 {} }

  private func listeners(of topic: ChangeTopic) -> Int {
    fixture.notices.subscriberCount(of: topic)
  }

  @Test func `K1 a device is listened to while its source updates, and not before or after`()
    throws
  {
    let source = try context.open("switches|Lid")
    try source.updateValuesInPlace()
    #expect(listeners(of: lid) == 0)
    try source.startUpdating(every: 600_000_000_000)
    #expect(listeners(of: lid) == 1)
    #expect(listeners(of: dock) == 0)
    let second = try context.open("switches|Lid")
    try second.startUpdating(every: 1_000_000_000)
    #expect(listeners(of: lid) == 1)
    try source.stopUpdating()
    #expect(listeners(of: lid) == 1)
    try second.stopUpdating()
    #expect(listeners(of: lid) == 0)
  }

  @Test func `L4 V11 a switch that moves is an update at the kernel's time of the event`() throws {
    let source = try context.open("switches|Lid")
    let aggregate = try context.open("switches")
    let (diary, all) = (Diary(source), Diary(aggregate))
    try source.startUpdating(every: 600_000_000_000)
    try aggregate.startUpdating(every: 600_000_000_000)
    #expect(listeners(of: dock) == 1)
    try deliver()
    _ = (diary.updates(), all.updates())
    try context.seek(to: 5_000_000_000)
    let moment = context.now.boot - 3_000_000
    try fixture.write("event0 1\nevent1 0\n", to: "/.gkit/switches")
    fixture.notices.send(ChangeNotice(topic: lid, bootTime: moment))
    try context.seek(to: 5_200_000_000)
    try deliver()
    for (source, diary) in [(source, diary), (aggregate, all)] {
      let updates = diary.updates()
      #expect(updates.count == 1)
      let sample = try #require(updates.last).value("lid_closed", of: source)
      #expect(sample.payload == .bool(true))
      #expect(sample.time == moment)
      #expect(sample.clockOrigin == .kernel)
    }
  }

  @Test func `V12 an event that a reading has seen already is not dated back`() throws {
    let source = try context.open("switches|Lid")
    try source.startUpdating(every: 600_000_000_000)
    try context.seek(to: 5_000_000_000)
    let moment = context.now.boot
    try context.seek(to: 5_500_000_000)
    try fixture.write("event0 1\nevent1 0\n", to: "/.gkit/switches")
    try source.updateValuesInPlace()
    let seen = source.value("lid_closed").time
    #expect(seen > moment)
    fixture.notices.send(ChangeNotice(topic: lid, bootTime: moment))
    try context.seek(to: 6_000_000_000)
    try deliver()
    #expect(source.value("lid_closed").payload == .bool(true))
    #expect(source.value("lid_closed").time >= seen)
    #expect(source.value("lid_closed").clockOrigin == .library)
    #expect(source.rates.dropped == 0)
  }

  @Test func `H5 a device that went is listened to again when it is back`() throws {
    let source = try context.open("switches|Lid")
    try source.startUpdating(every: 600_000_000_000)
    let file = "/sys/class/input/event0/device/capabilities/sw"
    try fixture.remove(file)
    try context.rescan()
    #expect(listeners(of: lid) == 0)
    try fixture.write("1\n", to: file)
    try context.rescan()
    #expect(listeners(of: lid) == 1)
    try context.close()
    #expect(listeners(of: lid) == 0)
  }

  @Test func `a device that cannot be listened to is polled`() throws {
    fixture.notices.fail(lid, with: 13)
    let source = try context.open("switches|Lid")
    try source.startUpdating(every: 1_000_000_000)
    try fixture.write("event0 1\nevent1 0\n", to: "/.gkit/switches")
    try context.seek(to: 1_500_000_000)
    #expect(source.value("lid_closed").payload == .bool(true))
  }
}
