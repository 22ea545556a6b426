import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// What a receiver that was refused is remembered for, and when it is tried again.
@Suite struct ReceiverFinderTests {
  @Test func `A4 a start looks anew, though the one before has just failed`() throws {
    let desk = try ReceiverDesk(devices: [])
    let (source, diary) = try desk.diary("gps")
    for count in 1...2 {
      #expect(throws: SourceError.self) { try source.startUpdating(every: 3600_000_000_000) }
      #expect(desk.link.openings == count)
      #expect(diary.take().last == "failedToStart")
      try desk.context.rescan()
      #expect(source.availability.state == .noHardware)
    }
    // The remedy was followed: a receiver is connected.
    desk.link.set(whenOpened: ReceiverDesk.greeting(["/dev/ttyS0"]))
    try source.startUpdating(every: 3600_000_000_000)
    #expect(source.isUpdating)
    try desk.deliver()
    desk.link.say(.fix(second: 1))
    desk.settle()
    #expect(desk.values(of: source)["latitude"]?.value == .double(48.1173))
  }

  @Test func `A4 an update looks anew, though a start has just failed`() throws {
    let desk = try ReceiverDesk(devices: [])
    let source = try desk.open("gps")
    #expect(throws: SourceError.self) { try source.startUpdating() }
    try desk.context.rescan()
    #expect(source.availability.state == .noHardware)
    #expect(try source.updateValues()[0].status == .noData)
    let lines = (1...2).map { LineEvent.line(Array(String.fix(second: $0).utf8)) }
    desk.link.set(whenOpened: ReceiverDesk.greeting(["/dev/ttyS0"]) + lines)
    #expect(try source.updateValues()[0].value == .double(48.1173))
  }

  @Test func `A4 a start while gpsd is waited for has it tried at once`() throws {
    let desk = try ReceiverDesk()
    let (source, _) = try desk.diary("gps")
    try source.startUpdating(every: 3600_000_000_000)
    try desk.deliver()
    desk.link.happen(.closed(SystemError(SystemText.notConnected, at: "")))
    try desk.deliver()
    #expect(source.availability.state == .serviceNotRunning)
    try source.startUpdating(every: 3600_000_000_000)
    // It was tried a moment ago.
    #expect(desk.link.openings == 1)
    try desk.advance(by: 2)
    try source.startUpdating(every: 3600_000_000_000)
    #expect(desk.link.openings == 2)
    try desk.deliver()
    #expect(source.availability.group == .available)
    desk.link.say(.fix(second: 1))
    desk.settle()
    #expect(desk.values(of: source)["latitude"]?.value == .double(48.1173))
  }
}
