import Testing

@testable import Fleet

/// Where messages go, and which topics are ours.
struct FleetTopicTests {
  @Test(arguments: [
    (
      FleetTopic(
        device: "pi", subject: .source(kind: "battery", instance: "BAT0", .state)),
      "gathered/v1/pi/battery/BAT0/state"
    ),
    (
      FleetTopic(
        device: "a b", subject: .source(kind: "storage", instance: "/home+x", .rows)),
      "gathered/v1/a%20b/storage/%2Fhome%2Bx/rows"
    ),
    (FleetTopic(device: "pi", subject: .online), "gathered/v1/pi/online"),
    (FleetTopic(device: "pi", subject: .device), "gathered/v1/pi/device"),
    (
      FleetTopic(
        device: "pi", subject: .source(kind: "stream", instance: "shaken", .about)),
      "gathered/v1/pi/stream/shaken/about"
    ),
  ])
  func `F1 F2 topics are levels of ids, and read again as they were`(
    topic: FleetTopic, text: String
  ) {
    #expect(topic.text(below: "gathered") == text)
    #expect(FleetTopic(text, below: "gathered") == topic)
    #expect(FleetTopic("plant/line2/" + text, below: "plant/line2/gathered") == topic)
  }

  @Test(arguments: [
    "", "gathered", "gathered/v1", "gathered/v1/", "gathered/v1/pi", "gathered/v1/pi/other",
    "gathered/v2/pi/online", "other/v1/pi/online", "gathered/v1/pi/battery/BAT0",
    "gathered/v1/pi/battery/BAT0/late/x", "gathered/v1/pi/battery/BAT0/raw",
    "gathered/v1//online", "gathered/v1/%zz/online", "gathered/v1/%00/online",
    "gathered/v1/p i/online", "gathered/v1/pi/battery/%FF/state",
  ])
  func `F2 F3 topics of others and of later versions are none`(text: String) {
    #expect(FleetTopic(text, below: "gathered") == nil)
  }

  @Test func `F1 long levels and topics are refused`() {
    let long = String(repeating: "x", count: 129)
    let topic = FleetTopic(device: "pi", subject: .source(kind: "disk", instance: long, .state))
    #expect(topic.refusal(below: "gathered")?.contains("128") == true)
    let root = String(repeating: "r", count: 500)
    let short = FleetTopic(device: "pi", subject: .source(kind: "disk", instance: "sda", .state))
    #expect(short.refusal(below: root)?.contains("512") == true)
    #expect(short.refusal(below: "gathered") == nil)
  }
}
