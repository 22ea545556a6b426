import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import Streams
import Testing
import Values

@testable import Fleet

/// Streams and graph outputs at a real broker, and sources that cannot be there.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct PublishedStreamTests {
  @Test func `F42 a stream is a source of its own kind, with the type of its values`() throws {
    let broker = try PrivateBroker()
    let device = try PublishedDevice("phone", on: broker) { $0.discovery = "homeassistant" }
    for (name, value) in [
      ("shaken", Value.bool(true)), ("count", .int(3)), ("word", .string("on")),
      ("a b", .double(1.5)),
    ] {
      try device.recorder.append(Sample(value), named: name)
      try device.recorder.append(Sample(value), named: name)
    }
    try device.recorder.flush(within: Patience.limit)
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    for (id, type, value) in [
      ("stream|shaken@pi", PropertyType.bool, Value.bool(true)),
      ("stream|count@pi", .int, .int(3)), ("stream|word@pi", .string, .string("on")),
      ("stream|a%20b@pi", .double, .double(1.5)),
    ] {
      let source = try fleet.open(id)
      try source.updateValuesInPlace(within: Patience.limit)
      #expect(source.properties.map(\.type) == [type], "\(id)")
      #expect(source.allValues.map(\.value) == [value] && source.allValues[0].status == .ok)
    }
    let log = try TopicLog(broker)
    let topic = "homeassistant/device/gathered_pi_stream/config"
    let payload = try #require(log.wait(for: topic) { $0.count > 1000 })
    let members = try payload.withUnsafeBytes {
      try FleetJSON.members(of: $0, limit: FleetJSON.listLimit)
    }
    let components = try #require(members["cmps"]?.members)
    #expect(
      Set(components.keys)
        == Set(
          ["shaken", "count", "word", "a_b"].map {
            "gathered_pi_stream_\($0)_value"
          }))
    #expect(components.values.allSatisfy { HomeAssistantRules.fault($0.members ?? [:]) == nil })
    #expect(components["gathered_pi_stream_a_b_value"]?.members?["name"]?.text == "a b")
    try device.close()
  }

  @Test func `a stream whose values change their type has none`() {
    var type = StreamValueType.unknown
    type.note(.none)
    #expect(type == .unknown && type.properties.isEmpty)
    type.note(.int(1))
    type.note(.double(0.5))
    type.note(.int(2))
    #expect(type == .known(.double))
    type.note(.string("on"))
    type.note(.double(1))
    #expect(type == .mixed && type.properties.isEmpty)
  }

  @Test func `F1 an instance that comes later and cannot be published is left out`() throws {
    let broker = try PrivateBroker()
    let log = try TopicLog(broker)
    let long = String(repeating: "x", count: 129)
    let script = try SimulatedScript("0 add fan|one\n5 add fan|\(long)\n9 remove fan|\(long)")
    let device = try PublishedDevice(script.device, on: broker, clock: "&clock=manual")
    try device.publishToAll(["fan|one"])
    try device.context.seek(to: 6_000_000_000)
    let topic = "gathered/v1/pi/device"
    let list = try #require(log.wait(for: topic) { $0.contains(Array("more than 128".utf8)) })
    let told = try list.withUnsafeBytes { try DeviceMessage($0) }
    #expect(told.leftOut == ["fan|\(long): its topic has a level of more than 128 bytes"])
    #expect(told.sources.map(\.instance) == ["one"])
    #expect {
      try device.publish(["fan|\(long)"])
    } throws: { error in
      if case .limit? = error as? SourceError { true } else { false }
    }
    try device.context.seek(to: 10_000_000_000)
    #expect(log.wait(for: topic) { !$0.contains(Array("more than 128".utf8)) } != nil)
    try device.close()
  }

  @Test func `F1 one that is there from the start is refused`() throws {
    let broker = try PrivateBroker()
    let long = String(repeating: "x", count: 129)
    let script = try SimulatedScript("0 add fan|\(long)")
    let device = try PublishedDevice(script.device, on: broker)
    #expect {
      try device.publish(["fan|\(long)"])
    } throws: { error in
      if case .invalidArgument? = error as? SourceError { true } else { false }
    }
    try device.close()
  }

  @Test func `F23 after an end that nothing explains messages are shorter, and all rows come`()
    throws
  {
    // A broker of 3.1.1 says nothing of its bound: it ends the connection.
    let broker = try PrivateBroker(["allow_anonymous true", "max_packet_size 12000"])
    let log = try TopicLog(broker)
    let device = try PublishedDevice("phone", on: broker, parameters: "&version=3.1.1") {
      $0.rows = .always
    }
    let text = String(repeating: "x", count: 400)
    for number in 0..<100 {
      var sample = Sample(.string("\(number) \(text)"))
      sample.sequence = UInt64(number + 1)
      try device.recorder.append(sample, named: "words")
    }
    try device.recorder.flush(within: Patience.limit)
    let topic = "gathered/v1/pi/stream/words/rows"
    var seen: Set<UInt64> = []
    var longest = 0
    #expect(
      Patience.wait {
        let messages = self.messages(log, topic)
        longest = messages.map(\.count).max() ?? 0
        seen = Set(messages.flatMap(self.sequences))
        return seen.count == 100
      })
    #expect(longest < 12_000 && longest > 0)
    #expect(device.recorder.information.connections ?? 0 > 1)
    #expect(device.recorder.information.rowsLost == 0)
    try device.close()
  }

  private func messages(_ log: TopicLog, _ topic: String) -> [[UInt8]] {
    log.messages.filter { $0.topic == topic }.map(\.payload)
  }

  private func sequences(_ payload: [UInt8]) -> [UInt64] {
    let rows = payload.withUnsafeBytes { try? ReceivedRows($0) }
    return rows.map(RowsMessageTests.rows)?.map { $0[0].sequence } ?? []
  }
}
