import GatheredKitTesting
import Gathering
import Ground
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// What machines tell, and what is made of what others send.
struct MessageTests {
  static let now = Instant(boot: 5_000, realtime: 1_700_000_000_000_000_000)

  /// What is written is read as it was.
  private func again<Message>(
    _ members: ValueDictionary, _ read: (UnsafeRawBufferPointer) throws(MessageFault) -> Message
  ) throws -> Message {
    try members.message.withUnsafeBytes { bytes in try read(bytes) }
  }

  @Test func `F4 a device and its being there are read as they were`() throws {
    let online = OnlineMessage(isOnline: true, session: "6f1c", since: 7)
    #expect(try again(online.dictionary, OnlineMessage.init) == online)
    var device = DeviceMessage(device: "pi", session: "6f1c", boot: "9a", sent: Self.now)
    device.sources = [
      DeviceMessage.Listed(
        kind: "battery", instance: "BAT0", label: "Battery",
        availability: Availability(.searching, backend: "mqtt", detail: "d", remedy: "r"))
    ]
    (device.streams, device.allow, device.leftOut) = (["shaken"], ["hostname"], ["disk|x"])
    #expect(try again(device.dictionary, DeviceMessage.init) == device)
  }

  @Test(arguments: SourceCatalogue.all.map(\.kind))
  func `F4 every kind is described and told as it is`(kind: String) throws {
    let context = try Context.open(
      "sim:phone&clock=manual", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    let source = try context.open(kind)
    try source.updateValues()
    let series = RecordedSeries(0, source)
    let about = AboutMessage(
      session: "s", sent: Self.now, interval: 3, hasRows: true, series: series)
    let read = try again(about.dictionary, AboutMessage.read)
    #expect(read.series == series && read.interval == 3 && read.hasRows && read.session == "s")
    let published = PublishedSeries(0, series, allow: .all)
    published.take(.reading(source.allValues), lost: 0, at: 0, since: 0)
    let state = published.state(session: "s", sent: Self.now)
    let told = try again(state.dictionary, StateMessage.init)
    #expect(told.id == source.id.description)
    for (sample, other) in zip(source.allValues, told.samples(for: source.properties)) {
      #expect(other.value == sample.value && other.status == sample.status)
      #expect(other.sequence == sample.sequence)
      #expect(sample.status == .ok || other.absence == sample.absence)
      #expect(
        sample.sequence == 0 || (other.time, other.realtime) == (sample.time, sample.realtime))
    }
  }

  private static let nested =
    String(repeating: "{\"a\":", count: 70) + "1" + String(repeating: "}", count: 70)
  private static let long = "{\"a\": \"" + String(repeating: "x", count: 1 << 20) + "\"}"
  private static let foreign: [(String, MessageFault)] = [
    ("", .noJSON), ("[]", .noJSON), ("{\"format\": \"x\"}", .otherFormat),
    ("{\"format\": \"gatheredkit.about\", \"version\": 2}", .otherFormat),
    ("{\"format\": \"gatheredkit.about\", \"version\": 1}", .incomplete),
    (String(repeating: "[", count: 200), .tooDeep), (nested, .tooDeep), (long, .tooLong),
  ]

  @Test(arguments: foreign)
  func `F38 foreign messages are refused for a reason`(text: String, fault: MessageFault) {
    #expect(throws: fault) {
      try Array(text.utf8).withUnsafeBytes { bytes in try AboutMessage.read(bytes) }
    }
  }

  @Test func `properties that none of ours can have are left out, the rest stays`() throws {
    let sent: Value = Self.now.dictionary
    let properties: [Value] = [
      ["key": .string("level"), "type": .string("double"), "unit": .string("1")],
      ["key": .string("Not A Key"), "type": .string("double")],
      ["key": .string("colour"), "type": .string("paint")],
      ["key": .string("mass"), "type": .string("double"), "unit": .string("stones and")],
    ].map { .dictionary($0) }
    let members: ValueDictionary = [
      "format": .string("gatheredkit.about"), "version": .int(1), "session": .string("s"),
      "sent": sent, "source": .string("battery|BAT0"), "properties": .list(properties),
      "unknown": .int(1),
    ]
    #expect(try again(members, AboutMessage.read).series.properties.map(\.key) == ["level"])
  }

  @Test func `a list of properties that came before is known, and no other is taken for it`() throws
  {
    let start =
      "{\"format\":\"gatheredkit.about\",\"version\":1,\"session\":\"s\","
      + "\"sent\":{\"time_ns\":1,\"boot_ns\":1},\"source\":\"battery|BAT0\""
    let level = ",\"properties\":[{\"key\":\"level\",\"type\":\"double\",\"unit\":\"1\"}]"
    let mass =
      ",\"properties\":[{\"key\":\"mass]\\\"[\",\"type\":\"double\"},"
      + "{\"key\":\"mass\",\"type\":\"double\"}]"
    var lists = PropertyLists()
    for (text, keys) in [
      (level, ["level"]), (level, ["level"]), (mass, ["mass"]),
      (",\"availability\":{\"state\":\"available\"\(level)}\(mass)", ["mass"]),
      (",\"label\":\"x,\\\"properties\\\":[\"\(level)", ["level"]), (mass, ["mass"]),
    ] {
      let about = try Array("\(start)\(text)}".utf8).withUnsafeBytes {
        try AboutMessage($0, &lists)
      }
      #expect(about.series.properties.map(\.key) == keys, "\(text)")
    }
    for text in ["\(level),", level.dropLast(), ",\"a\":{\"b\":1\(level)}"] as [any StringProtocol]
    {
      #expect(throws: MessageFault.self) {
        try Array("\(start)\(text)}".utf8).withUnsafeBytes { try AboutMessage($0, &lists) }
      }
    }
  }

  @Test func `what machines have alike is read once, and what each says is its own`() throws {
    let rest =
      ",\"source\":\"battery|BAT0\",\"kind\":\"battery\",\"label\":\"L\","
      + "\"properties\":[{\"key\":\"level\",\"type\":\"double\",\"unit\":\"1\"}]}"
    func start(_ session: String, _ sent: Int, _ more: String = "") -> String {
      "{\"format\":\"gatheredkit.about\",\"version\":1,\"session\":\"\(session)\",\"sent\":"
        + "{\"time_ns\":\(sent),\"boot_ns\":1},\"interval_ns\":\(sent * 10),\"rows\":true\(more)"
    }
    var lists = PropertyLists()
    func read(_ text: String) throws -> AboutMessage {
      try Array(text.utf8).withUnsafeBytes { try AboutMessage($0, &lists) }
    }
    for (session, sent) in [("a", 1), ("b", 2), ("c", 3)] {
      let about = try read(start(session, sent) + rest)
      #expect(about.session == session && about.sent == Instant(boot: 1, realtime: Int64(sent)))
      #expect(about.interval == Int64(sent * 10) && about.hasRows && about.series.label == "L")
      #expect(about.series.properties.map(\.key) == ["level"])
    }
    let other = try read(start("a", 1) + rest.replacing("BAT0", with: "BAT1"))
    #expect(other.series.name == "battery|BAT1")
    #expect(try read(start("d", 4, ",\"new\":{}") + rest).session == "d")
    for text in [
      start("a", 1, ",\"kind\":\"x\"") + rest, start("a", 1) + rest + "x",
      start("a", 1) + ",\"a\":{" + rest,
      start("\u{1}", 1) + rest, start("a", 1).replacing("about", with: "abuot") + rest,
    ] {
      #expect(throws: MessageFault.self) { try read(text) }
    }
  }
}
