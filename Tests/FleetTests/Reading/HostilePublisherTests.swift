import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// Machines that publish what they should not, beside one that does not (fleet F38).
struct HostilePublisherTests {
  private var state = FleetState()
  private static let now = Instant(boot: 5_000, realtime: 1_700_000_000_000_000_000)

  private static func device(_ sources: Int, streams: [String] = []) -> [UInt8] {
    var message = DeviceMessage(device: "x", session: "s", boot: "b", sent: now)
    message.sources = (0..<sources).map { number in
      DeviceMessage.Listed(
        kind: "fan", instance: "\(number)", label: "", availability: Availability(.available))
    }
    message.streams = streams
    return message.dictionary.message
  }

  private static func about(_ properties: [String]) -> AboutMessage {
    var series = RecordedSeries(
      0, .source(SourceIdentifier(checkedKind: "fan", instance: "0", device: nil)))
    series.properties = properties.map { Property($0, .double, .continuous) }
    return AboutMessage(session: "s", sent: now, interval: 1, hasRows: false, series: series)
  }

  private static func read<Message>(
    _ payload: [UInt8], _ read: (UnsafeRawBufferPointer) throws(MessageFault) -> Message
  ) throws -> Message {
    try payload.withUnsafeBytes { bytes in try read(bytes) }
  }

  private mutating func take(_ about: AboutMessage?, _ instance: Int) throws(MessageFault) {
    let key = FleetKey(device: "x", kind: "fan", instance: "\(instance)")
    try state.take(about, of: key, Self.now, isRetained: true, at: 0)
  }

  @Test func `F38 a list has as many sources and streams as it may, or is refused`() throws {
    let most = FleetJSON.sourceLimit
    #expect(try Self.read(Self.device(most), DeviceMessage.init).sources.count == most)
    #expect(throws: MessageFault.tooMany) {
      try Self.read(Self.device(most + 1), DeviceMessage.init)
    }
    let streams = (0...most).map { "s\($0)" }
    #expect(throws: MessageFault.tooMany) {
      try Self.read(Self.device(0, streams: streams), DeviceMessage.init)
    }
    #expect(throws: MessageFault.tooMany) {
      try Self.read(Self.device(1, streams: Array(streams.dropLast())), DeviceMessage.init)
    }
  }

  @Test func `F38 what no id can name is left out of a list, and what is there twice`() throws {
    let payload = Self.device(2, streams: ["", "a", "b\u{0}", "a", "c"])
    let told = try Self.read(payload, DeviceMessage.init)
    #expect(told.streams == ["a", "c"])
    var message = told
    message.sources += told.sources
    let again = try Self.read(message.dictionary.message, DeviceMessage.init)
    #expect(again.sources.map(\.instance) == ["0", "1"])
  }

  @Test(arguments: ["v1//online", "v1/%00/online", "v1/a%00b/device", "v1/pi/fan//state"])
  func `F38 a topic with what no id can name is none`(text: String) {
    #expect(FleetTopic("gathered/" + text, below: "gathered") == nil)
  }

  @Test mutating func `F38 no more machines are known than may be, and those go on`() throws {
    for number in 0..<FleetJSON.deviceLimit {
      let online = OnlineMessage(isOnline: true, session: "s", since: 0)
      try state.take(online, of: "d\(number)", Self.now, isRetained: true, at: 0)
    }
    #expect(throws: MessageFault.tooMany) {
      try state.take(
        OnlineMessage(isOnline: true, session: "s", since: 0), of: "more", Self.now,
        isRetained: true, at: 0)
    }
    let gone = OnlineMessage(isOnline: false, session: "s", since: 0)
    try state.take(gone, of: "d7", Self.now, isRetained: true, at: 0)
    #expect(state.devices["d7"]?.isOnline == false)
    #expect(state.devices.count == FleetJSON.deviceLimit)
  }

  @Test mutating func `F38 a machine that is full can change and delete what it has`() throws {
    for number in 0..<FleetJSON.sourceLimit { try take(Self.about(["rpm"]), number) }
    #expect(throws: MessageFault.tooMany) {
      try take(Self.about(["rpm"]), FleetJSON.sourceLimit)
    }
    try take(Self.about(["rpm", "level"]), 3)
    let third = FleetKey(device: "x", kind: "fan", instance: "3")
    #expect(state.devices["x"]?.abouts[third]?.series.properties.count == 2)
    try take(nil, 3)
    try take(Self.about(["rpm"]), FleetJSON.sourceLimit)
    #expect(state.devices["x"]?.abouts.count == FleetJSON.sourceLimit)
  }

  @Test mutating func `F18 what is deleted of a machine that is not known makes none`() throws {
    try take(nil, 3)
    try state.take(
      nil as DeviceMessage?, of: "y", Self.now, isRetained: false, at: 0)
    #expect(state.devices.isEmpty)
  }

  @Test func `F38 properties beyond the bound are refused, and each is there once`() throws {
    let many = Self.about((0...FleetJSON.propertyLimit).map { "p\($0)" })
    #expect(throws: MessageFault.tooMany) {
      try Self.read(many.dictionary.message, AboutMessage.read)
    }
    let twice = Self.about(["rpm", "level", "rpm"])
    let read = try Self.read(twice.dictionary.message, AboutMessage.read)
    #expect(read.series.properties.map(\.key) == ["rpm", "level"])
  }

  @Test func `F49 times at the end of all numbers stop no clock`() {
    var offset = BootOffset()
    let second: Int64 = 1_000_000_000
    for (number, sent) in [Int64.min, .max, 0, .min, .max, -1, 1].enumerated() {
      let arrival = Instant(boot: Int64(number + 1) * 400 * second, realtime: .max)
      offset.note(
        sent: Instant(boot: sent &+ arrival.boot &+ 1, realtime: .min), arrival: arrival,
        isRetained: number == 2)
      _ = (offset.shift, offset.skew, offset.warning(of: "x"))
    }
  }
}
