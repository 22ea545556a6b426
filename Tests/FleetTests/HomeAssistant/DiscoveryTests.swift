import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// What Home Assistant is told, by a real broker.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct DiscoveryTests {
  let broker: PrivateBroker
  let log: TopicLog

  init() throws {
    broker = try PrivateBroker()
    log = try TopicLog(broker)
  }

  /// A device that tells Home Assistant of all its sources.
  private func told(
    _ name: String, as device: String = "pi", allow: Allowance = .all
  ) throws -> PublishedDevice {
    let made = try PublishedDevice(
      name, on: broker, as: device, sinkAllow: allow, clock: "&clock=manual"
    ) { $0.discovery = "homeassistant" }
    for description in try made.context.sources() {
      // What is personal is refused.
      _ = try? made.publish([description.id.description])
    }
    try made.recorder.flush(within: Patience.limit)
    return made
  }

  /// The newest message of every topic below the prefix.
  private func messages() -> [String: [UInt8]] {
    let all = log.allMessages().filter { $0.topic.hasPrefix("homeassistant/device/") }
    return all.reduce(into: [:]) { $0[$1.topic] = $1.payload }
  }

  private func components(_ payload: [UInt8]) throws -> [(String, ValueDictionary)] {
    let members = try payload.withUnsafeBytes {
      try FleetJSON.members(of: $0, limit: FleetJSON.listLimit)
    }
    return try #require(members["cmps"]?.members).map { ($0, $1.members ?? [:]) }
  }

  @Test(arguments: ["phone", "laptop"])
  func `F51 F56 a message a kind, as Home Assistant demands it`(name: String) throws {
    let device = try told(name, as: "my pi")
    let kinds = Set(device.sources.map(\.id.kind))
    let found = messages()
    #expect(
      Set(found.keys)
        == Set(kinds.map { "homeassistant/device/gathered_my_pi_\($0)/config" }))
    #expect(kinds.count > 10)
    var ids: Set<String> = []
    for (topic, payload) in found {
      #expect(payload.count < 65_536)
      let members = try payload.withUnsafeBytes {
        try FleetJSON.members(of: $0, limit: FleetJSON.listLimit)
      }
      #expect(members["dev"]?.members?["ids"] == .list([.string("gathered_my_pi")]))
      #expect(members["o"]?.members?["name"]?.text == "gatheredkit")
      let all = try components(payload)
      #expect(all.contains { $0.1["en"] == nil }, "\(topic) shows nothing")
      for (key, members) in all {
        let fault = HomeAssistantRules.fault(members)
        #expect(fault == nil, "\(topic) \(key): \(fault ?? "")")
        #expect(members["uniq_id"]?.text == key && EntityNames.plain(key) == key)
        #expect(ids.insert(key).inserted, "\(key) is there twice")
      }
    }
    try device.close()
  }

  @Test func `F53 ids do not change with labels, which are in front of names of several`() throws {
    let script = try SimulatedScript("0 add fan|a%20b\n0 add fan|a_b\n5 remove fan|a_b")
    let device = try PublishedDevice(script.device, on: broker, clock: "&clock=manual") {
      $0.discovery = "ha/discovery"
    }
    try device.publishToAll(["fan|a%20b", "fan|a_b"])
    let topic = "ha/discovery/device/gathered_pi_fan/config"
    let first = try components(try #require(log.wait(for: topic) { $0.count > 6000 }))
    let speeds = first.filter { $0.0.contains("_speed") }
    let name = "gathered_pi_fan_a_b_speed"
    #expect(speeds.map(\.0).sorted() == [name, name + "_2"])
    let plain = try #require(speeds.first { $0.0 == name })
    #expect(plain.1["stat_t"]?.text == "gathered/v1/pi/fan/a_b/state")
    #expect(plain.1["name"]?.text == "a_b Speed")
    // One goes: the other keeps its id, and Home Assistant is told to drop the entities.
    try device.context.seek(to: 6_000_000_000)
    let gone = Array("\"gathered_pi_fan_a_b_speed\":{\"p\":\"sensor\"}".utf8)
    let second = try #require(log.wait(for: topic) { $0.contains(gone) })
    let left = try components(second).first { $0.0 == name + "_2" }
    #expect(left?.1["name"]?.text == "Speed")
    try device.close()
  }

  @Test func `F51 a kind that vanishes gets an empty message`() throws {
    let script = try SimulatedScript("0 add fan|one\n0 add battery|BAT0\n5 remove fan|one")
    let device = try PublishedDevice(script.device, on: broker, clock: "&clock=manual") {
      $0.discovery = "homeassistant"
    }
    try device.publishToAll(["fan|one", "battery|BAT0"])
    let topic = "homeassistant/device/gathered_pi_fan/config"
    log.wait(for: topic) { !$0.isEmpty }
    try device.context.seek(to: 6_000_000_000)
    #expect(log.wait(for: topic) { $0.isEmpty } != nil)
    #expect(messages()["homeassistant/device/gathered_pi_battery/config"]?.isEmpty == false)
    try device.close()
  }

  @Test func `F55 all is told again when Home Assistant starts`() throws {
    let device = try told("phone")
    let before = log.allMessages().count
    log.publish(BrokerMessage("homeassistant/status", Array("offline".utf8)))
    log.publish(BrokerMessage("homeassistant/status", Array("online".utf8)))
    let topics = Set(messages().keys)
    let states = Set(device.sources.map { "gathered/v1/pi/\($0.id.kind)/\($0.id.instance ?? "")" })
    #expect(
      Patience.wait {
        let again = Set(self.log.messages.dropFirst(before).map(\.topic))
        return topics.isSubset(of: again) && again.filter { $0.hasSuffix("/about") }.count > 10
          && again.filter { $0.hasSuffix("/state") }.count >= states.count - 2
      })
    let again = log.messages.dropFirst(before).map(\.topic)
    let lastConfig = try #require(again.lastIndex { $0.hasSuffix("/config") })
    let firstAbout = try #require(again.firstIndex { $0.hasSuffix("/about") })
    #expect(lastConfig < firstAbout)
    try device.close()
  }

  @Test func `F34 F57 a position is told only where it may be`() throws {
    let shy = try told("phone", as: "shy", allow: .none)
    let all = messages().map { String(decoding: $0.value, as: UTF8.self) }.joined()
    #expect(!all.contains("device_tracker") && !all.contains("ssid") && !all.contains("serial"))
    try shy.close()
    let open = try told("phone", as: "open")
    let topic = "homeassistant/device/gathered_open_gps/config"
    let found = try components(try #require(messages()[topic]))
    let receivers = open.sources.filter { $0.id.kind == "gps" }
    #expect(!receivers.isEmpty)
    #expect(found.filter { $0.1["p"]?.text == "device_tracker" }.count == receivers.count)
    try open.close()
  }
}
