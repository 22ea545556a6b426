import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// What a context of a real broker shows of machines that publish there.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct FleetContextTests {
  @Test func `F43 F24 every reading of a fast source comes, with its sequence and its time`() throws
  {
    let broker = try PrivateBroker()
    let device = try PublishedDevice("phone", on: broker)
    let source = try #require(try device.publishToAll(["accelerometer"], every: 5_000_000).first)
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let remote = try fleet.open("accelerometer|mpu6050@pi")
    let diary = Diary(remote)
    try remote.startUpdating(every: 1_000_000)
    #expect(Patience.wait { diary.rows.count > 500 })
    #expect(remote.rates.granted == 5_000_000)
    #expect(remote.rates.reason == "the publisher's interval")
    try source.stopUpdating()
    let sequences = diary.rows.map { $0[0].sequence }.drop { $0 == 0 }
    let steps = zip(sequences, sequences.dropFirst()).map { $1 - $0 }
    // The state that is there at the start may be some rows before the first of these.
    #expect(steps.dropFirst().allSatisfy { $0 == 1 }, "\(steps.filter { $0 != 1 })")
    let times = diary.rows.map { $0[0].time }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    try device.close()
  }

  @Test func `F45 values of a machine that leaves are stale, and come back with it`() throws {
    let broker = try PrivateBroker()
    let device = try PublishedDevice("phone", on: broker)
    try device.publishToAll(["battery"])
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let remote = try fleet.open("battery|aggregate@pi")
    let diary = Diary(remote)
    try remote.startUpdating()
    let before = try #require(diary.wait { $0[0].status == .ok })
    try device.close()
    let stale = try #require(diary.wait { $0[0].status == .stale })
    #expect(stale[0].value.number != nil && before[0].value.number != nil)
    #expect(stale[0].absence?.reason.hasPrefix("pi is offline since ") == true)
    #expect(remote.availability.state == .disconnected && remote.isUpdating)
    let again = try PublishedDevice("phone", on: broker)
    try again.publishToAll(["battery"])
    let count = diary.rows.count
    #expect(Patience.wait { diary.rows.dropFirst(count).contains { $0[0].status == .ok } })
    #expect(remote.availability.state == .available)
    try again.close()
  }

  @Test func `F43 F45 what is stale is told no oftener than it was new`() throws {
    let broker = try PrivateBroker()
    let device = try PublishedDevice("phone", on: broker)
    try device.publishToAll(["accelerometer"], every: 200_000_000)
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let remote = try fleet.open("accelerometer|mpu6050@pi")
    #expect(remote.minimumInterval == 200_000_000)
    let diary = Diary(remote)
    try remote.startUpdating(every: 1_000_000)
    diary.wait { $0[0].status == .ok }
    try device.close()
    diary.wait { $0[0].status == .stale }
    #expect(remote.rates.granted == 200_000_000)
    #expect(remote.rates.reason == "the publisher's interval")
    let (begin, count) = (LiveTime().boot, diary.rows.count)
    #expect(Patience.wait { diary.rows.count >= count + 4 })
    #expect(LiveTime().boot - begin > 500_000_000)
    #expect(diary.rows.dropFirst(count).allSatisfy { $0[0].status == .stale })
  }

  @Test func `F45 a broker that is lost is told, and all mends when it is back`() throws {
    let broker = try PrivateBroker()
    let device = try PublishedDevice("phone", on: broker)
    try device.publishToAll(["battery"])
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let remote = try fleet.open("battery|aggregate@pi")
    let diary = Diary(remote)
    try remote.startUpdating()
    let before = try #require(diary.wait { $0[0].status == .ok })
    broker.stop()
    let stale = try #require(diary.wait { $0[0].status == .stale })
    #expect(stale[0].absence?.reason.contains("127.0.0.1:\(broker.address.port)") == true)
    #expect(remote.availability.state == .serviceNotRunning)
    try broker.start()
    let count = diary.rows.count
    #expect(Patience.wait { diary.rows.dropFirst(count).contains { $0[0].status == .ok } })
    let after = diary.rows.dropFirst(count).first { $0[0].status == .ok }
    #expect(after?.map(\.status) == before.map(\.status))
    try device.close()
  }

  @Test func `F40 without a broker it opens, and its kinds say why`() throws {
    let broker = try PrivateBroker()
    broker.stop()
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    #expect(try fleet.sources().isEmpty)
    let source = try fleet.open("battery")
    #expect(source.availability.state == .serviceNotRunning)
    #expect(source.availability.detail.contains("connection refused"))
    #expect(source.availability.remedy.contains("systemctl start mosquitto"))
    try broker.start()
    let device = try PublishedDevice("phone", on: broker)
    try device.publishToAll(["battery"])
    #expect(Patience.wait { source.availability.state == .available })
    try device.close()
  }

  @Test func `H2 machines that come are added, and N9 ids without one mean the first`() throws {
    let broker = try PrivateBroker()
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let added = Monitor<[String]>([])
    let token = try fleet.watch("battery") { event in
      if case .added = event.what { added.withLock { $0.append(event.id.description) } }
    }
    defer { token.end() }
    let pi = try PublishedDevice("phone", on: broker, as: "pi")
    try pi.publishToAll(["battery"])
    let robot = try PublishedDevice("laptop", on: broker, as: "a robot")
    try robot.publishToAll(["battery"])
    #expect(Patience.wait { added.withLock { $0.count } == 2 })
    #expect(Set(added.withLock { $0 }) == ["battery|aggregate@pi", "battery|aggregate@a%20robot"])
    let first = try fleet.open("battery|aggregate")
    #expect(first.id.description == "battery|aggregate@a%20robot")
    #expect(throws: SourceError.self) { try fleet.open("battery|aggregate@pj") }
    #expect(throws: SourceError.self) { try fleet.open("batery|aggregate@pi") }
    try pi.close()
    try robot.close()
  }

  @Test func `F38 foreign messages are counted, and the last good state stays`() throws {
    let broker = try PrivateBroker()
    let log = try TopicLog(broker)
    let device = try PublishedDevice("phone", on: broker)
    try device.publishToAll(["battery"])
    let state = "gathered/v1/pi/battery/aggregate/state"
    log.wait(for: state)
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let remote = try fleet.open("battery|aggregate@pi")
    let diary = Diary(remote)
    try remote.startUpdating()
    diary.wait { $0[0].status == .ok }
    let texts = [
      "", "{", "[1]", "\u{0}", "{\"values\": 3}", String(repeating: "[", count: 4000),
      "{\"id\": \"x\", \"session\": \"s\", \"sent\": {}, \"values\": {\"level\": 1}}",
    ]
    for text in texts {
      for what in ["state", "about", "rows", "late", "x"] {
        log.publish(
          BrokerMessage("gathered/v1/pi/battery/aggregate/\(what)", Array(text.utf8)))
      }
      log.publish(BrokerMessage("gathered/v1/odd/device", Array(text.utf8)))
    }
    let count = diary.rows.count
    #expect(Patience.wait { diary.rows.count > count + 1 })
    #expect(diary.rows.last?[0].status == .ok)
    try device.close()
  }

  @Test func `F40 a list is complete though machines say on and on that they are there`() throws {
    let broker = try PrivateBroker()
    let device = try PublishedDevice("phone", on: broker)
    try device.publishToAll(["battery"])
    let log = try TopicLog(broker, "none")
    let isOver = Lock(false)
    let pulses = try WorkerThread(named: "pulses") {
      let online = OnlineMessage(isOnline: true, session: "5e55", since: 1).dictionary
      while !isOver.withLock({ $0 }) {
        log.publish(.retained("gathered/v1/other/online", online))
        usleep(50_000)
      }
    }
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    #expect(try fleet.sources(of: "battery").count == 1)
    isOver.withLock { $0 = true }
    pulses.join()
    try device.close()
  }

  @Test func `F40 F41 what a broker drops of many machines comes with their pulse`() throws {
    // It keeps 20 messages on their way to a reader, and one more.
    let broker = try PrivateBroker(["allow_anonymous true", "max_queued_messages 1"])
    let log = try TopicLog(broker, "none")
    let online = OnlineMessage(isOnline: true, session: "5e55", since: 1).dictionary
    let names = (0..<40).map { "m\($0)" }
    for name in names {
      let sources = [
        DeviceMessage.Listed(
          kind: "battery", instance: "BAT0", label: name,
          availability: Availability(.available, backend: "mqtt"))
      ]
      let list = DeviceMessage(
        device: name, session: "5e55", boot: "b007", sent: Instant(boot: 1, realtime: 1),
        sources: sources)
      log.publish(.retained("gathered/v1/\(name)/online", online))
      log.publish(.retained("gathered/v1/\(name)/device", list.dictionary))
    }
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    #expect(try fleet.sources(of: "battery").count < names.count)
    for name in names { log.publish(.retained("gathered/v1/\(name)/online", online)) }
    var listed: [String] = []
    #expect(
      Patience.wait {
        listed = (try? fleet.sources(of: "battery").map(\.id.description)) ?? []
        return listed.count == names.count
      })
    #expect(Set(listed) == Set(names.map { "battery|BAT0@\($0)" }))
  }
}

extension BrokerMessage {
  fileprivate static func retained(_ topic: String, _ members: ValueDictionary) -> BrokerMessage {
    BrokerMessage(topic, members.message, isRetained: true)
  }
}
