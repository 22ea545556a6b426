import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// The kind `gps` on a link whose other side is the test.
@Suite struct GPSTests {
  private let desk: ReceiverDesk

  init() throws { desk = try ReceiverDesk() }

  @Test func `nothing connects merely to find out (A2)`() throws {
    let context = desk.context
    #expect(try context.sources(of: "gps").map(\.id.description) == ["gps|aggregate"])
    #expect(try context.sources(of: "gps").first?.availability.state == .available)
    let watch = try context.watch("gps") { _ in }
    _ = try context.report()
    try context.rescan()
    try context.seek(to: 60_000_000_000)
    #expect(desk.link.openings == 0)
    watch.end()
  }

  @Test func `without a listener the daemon is not running, and the remedy is named`() throws {
    let desk = try ReceiverDesk(isListening: false)
    #expect(try desk.context.sources(of: "gps").isEmpty)
    let source = try desk.context.open("gps")
    #expect(source.availability.state == .serviceNotRunning)
    #expect(source.availability.detail == "nothing listens on 127.0.0.1:2947")
    #expect(source.availability.remedy == "install gpsd")
    try desk.fixture.write("", to: "/usr/lib/systemd/system/gpsd.socket")
    try desk.context.rescan()
    #expect(source.availability.remedy == "systemctl start gpsd.socket")
    #expect(throws: SourceError.self) { try source.startUpdating() }
    #expect(desk.link.openings == 0)
  }

  @Test func `A6 doctor tells whether gpsd listens, by the kernel's tables alone`() throws {
    for (isListening, version) in [(true, "listening on 127.0.0.1:2947"), (false, "")] {
      let desk = try ReceiverDesk(isListening: isListening)
      guard case .list(let rows)? = try desk.context.report()["mechanisms"],
        case .dictionary(let row)? = rows.last
      else {
        Issue.record("no mechanisms")
        return
      }
      #expect(row["name"] == .string("gpsd"))
      #expect(row["version"] == .string(version))
      #expect(row["reason"]?.text == (isListening ? "" : "nothing listens on 127.0.0.1:2947"))
      #expect(row["remedy"]?.text == (isListening ? "" : "install gpsd"))
      #expect(desk.link.openings == 0)
    }
  }

  @Test func `P2 until its category is allowed a start waits and nothing is opened`() throws {
    let desk = try ReceiverDesk(allow: .none)
    let (source, diary) = try desk.diary("gps")
    #expect(source.availability.state == .requiresPermission)
    #expect(source.availability.remedy == "open the context with allow=location")
    try source.startUpdating()
    #expect(diary.take() == ["permissionRequested"])
    for sample in try source.updateValues() { #expect(sample.status == .permission) }
    #expect(desk.link.openings == 0)
    try desk.context.setAllow(Allowance(categories: [.location]))
    #expect(desk.link.openings == 1)
    #expect(source.isUpdating)
    desk.link.say(.fix(second: 1))
    desk.settle()
    #expect(source.allValues[0].value == .double(48.1173))
    // P4: what was shown is not shown any more.
    try desk.context.setAllow(.none)
    #expect(!source.isUpdating)
    #expect(source.allValues.allSatisfy { !$0.status.hasPayload })
    #expect(source.rawValue(ofPropertyAt: 0) == nil)
    #expect(!desk.link.isOpen)
  }

  @Test func `the messages of one epoch are one reading, and nothing flickers`() throws {
    let (source, diary) = try desk.diary("gps")
    try source.startUpdating(every: 3600_000_000_000)
    #expect(desk.link.sent == [#"?WATCH={"enable":true,"json":true};"# + "\n"])
    try desk.deliver()
    _ = diary.take()
    for second in 1...3 {
      let time = #""time":"2026-06-21T12:00:0\#(second).000Z""#
      desk.link.say(
        #"{"class":"TPV","device":"/dev/ttyS0","mode":2,\#(time),"lat":48.1,"lon":11.5}"#)
      #expect(desk.link.patience == 100_000_000)
      desk.link.say(
        #"{"class":"TPV","device":"/dev/ttyS0","mode":3,\#(time),"altMSL":545.4,"eph":17.1}"#)
      try desk.advance(by: 0.05)
      #expect(diary.take() == [])
      try desk.advance(by: 0.05)
      desk.settle()
      // Finding a fix is told, too.
      #expect(diary.take().filter { $0 == "update" }.count == 1)
      let values = desk.values(of: source)
      #expect(values["fix"]?.value == .string("3d"))
      #expect(values["latitude"]?.value == .double(48.1))
      #expect(values["altitude_msl"]?.value == .double(545.4))
      #expect(values["horizontal_accuracy"]?.value == .double(17.1))
      try desk.advance(by: 0.9)
    }
  }

  @Test func `I5 a tick without a newer report marks nothing new`() throws {
    let (source, _) = try desk.diary("gps")
    try source.startUpdating(every: 1_000_000_000)
    desk.link.say(.fix(second: 1))
    desk.settle()
    let first = desk.values(of: source)["latitude"]
    try desk.advance(by: 1.2)
    let second = desk.values(of: source)["latitude"]
    #expect(first?.status == .ok)
    #expect(second?.sequence == first?.sequence)
    #expect(second?.time == first?.time)
    #expect(second?.clockOrigin == .library)
  }

  @Test func `without a fix positions are absent, and never the last ones`() throws {
    let source = try desk.context.open("gps")
    try source.startUpdating(every: 1_000_000_000)
    desk.link.say(.fix(second: 1))
    desk.settle()
    #expect(source.availability.state == .available)
    desk.link.say(#"{"class":"TPV","device":"/dev/ttyS0","mode":1,"lat":1,"lon":2,"speed":3}"#)
    desk.settle()
    let values = desk.values(of: source)
    #expect(values["fix"]?.value == .string("none"))
    for key in ["latitude", "longitude", "speed", "horizontal_accuracy", "altitude_msl"] {
      #expect(values[key]?.status == .noData, "\(key)")
      #expect(values[key]?.absence?.reason == "no fix")
    }
    #expect(source.availability.state == .searching)
    #expect(source.availability.remedy != "")
  }

  @Test func `no report for 5 s makes values stale`() throws {
    let source = try desk.context.open("gps")
    try source.startUpdating(every: 1_000_000_000)
    desk.link.say(.fix(second: 1))
    desk.settle()
    try desk.advance(by: 4.5)
    #expect(desk.values(of: source)["latitude"]?.status == .ok)
    try desk.advance(by: 1.5)
    let values = desk.values(of: source)
    #expect(values["latitude"]?.status == .stale)
    #expect(values["latitude"]?.value == .double(48.1173))
    #expect(values["fix"]?.status == .stale)
    desk.link.say(.fix(second: 7))
    desk.settle()
    #expect(desk.values(of: source)["latitude"]?.status == .ok)
  }

  @Test func `DEVICES empty is no hardware, and a receiver that comes is waited for`() throws {
    let (source, diary) = try desk.diary("gps")
    try source.startUpdating(every: 3600_000_000_000)
    try desk.deliver()
    _ = diary.take()
    desk.link.say(#"{"class":"DEVICE","path":"/dev/ttyS0","activated":0}"#)
    try desk.deliver()
    #expect(diary.take() == ["availabilityChanged", "update"])
    #expect(source.availability.state == .noHardware)
    #expect(source.isUpdating)
    #expect(desk.link.isOpen)
    desk.link.say(#"{"class":"DEVICE","path":"/dev/ttyS1","activated":"2026-06-21T12:00:00Z"}"#)
    try desk.deliver()
    #expect(source.availability.state == .searching)
    #expect(diary.take().first == "availabilityChanged")
    #expect(
      try desk.context.sources(of: "gps").map(\.id.description)
        == ["gps|aggregate", "gps|%2Fdev%2FttyS1"])
  }

  @Test func `a daemon without receivers fails the start, which is remembered (A4)`() throws {
    let desk = try ReceiverDesk(devices: [])
    let source = try desk.context.open("gps")
    #expect(throws: SourceError.self) { try source.startUpdating() }
    #expect(!desk.link.isOpen)
    try desk.context.rescan()
    #expect(source.availability.state == .noHardware)
    try desk.context.seek(to: 31_000_000_000)
    try desk.context.rescan()
    #expect(source.availability.state == .available)
  }

  @Test func `a gpsd that takes its time to open devices is waited for`() throws {
    let slow = ReceiverDesk.greeting([]).dropLast()
    let desk = try ReceiverDesk(opening: Array(slow))
    let source = try desk.open("gps")
    try source.startUpdating(every: 3600_000_000_000)
    #expect(source.isUpdating)
    try desk.deliver()
    #expect(source.availability.group == .available)
    if let last = ReceiverDesk.greeting(["/dev/ttyS0"]).last { desk.link.happen(last) }
    desk.link.say(.fix(second: 1))
    desk.settle()
    #expect(desk.values(of: source)["latitude"]?.value == .double(48.1173))
  }

  @Test func `L10 a daemon that goes is waited for, without a stop`() throws {
    let (source, diary) = try desk.diary("gps")
    try source.startUpdating(every: 3600_000_000_000)
    try desk.deliver()
    let device = try desk.open("gps|%2Fdev%2FttyS0")
    try device.startUpdating(every: 3600_000_000_000)
    desk.link.say(.fix(second: 1))
    desk.settle()
    _ = diary.take()
    desk.link.happen(.closed(SystemError(SystemText.notConnected, at: "")))
    try desk.deliver()
    #expect(diary.take() == ["availabilityChanged", "update"])
    #expect(source.availability.state == .serviceNotRunning)
    #expect(device.availability.state == .serviceNotRunning)
    #expect(source.isUpdating && device.isUpdating)
    #expect(source.allValues.allSatisfy { $0.status == .noData })
    #expect(try desk.context.sources(of: "gps").isEmpty)
    for event in ReceiverDesk.greeting(["/dev/ttyS0"]) { desk.link.happen(event) }
    try desk.deliver()
    #expect(diary.take() == ["availabilityChanged", "update"])
    desk.link.say(.fix(second: 2))
    desk.settle()
    #expect(desk.values(of: source)["latitude"]?.value == .double(48.1173))
    #expect(desk.values(of: device)["latitude"]?.value == .double(48.1173))
    try source.stopUpdating()
    #expect(desk.link.isOpen)
    try device.stopUpdating()
    #expect(!desk.link.isOpen)
  }

  @Test func `L8 an idle source connects, waits for a report and lets go`() throws {
    // The next epoch begins, so the first one is complete.
    let lines = (1...2).map { LineEvent.line(Array(String.fix(second: $0).utf8)) }
    let desk = try ReceiverDesk(then: lines)
    let source = try desk.context.open("gps")
    #expect(try source.updateValues()[0].value == .double(48.1173))
    #expect(desk.link.openings == 1)
    #expect(!desk.link.isOpen)
    #expect(!source.isUpdating)
  }

  @Test func `receivers are named by their links, and open by their devices`() throws {
    try desk.fixture.write("", to: "/dev/ttyS0")
    try desk.fixture.link("/dev/serial/by-id/usb-Maker_Receiver-if00", to: "../../ttyS0")
    let all = try desk.open("gps")
    try all.startUpdating()
    try desk.deliver()
    #expect(
      try desk.context.sources(of: "gps").map(\.id.description)
        == ["gps|aggregate", "gps|usb-Maker_Receiver-if00"])
    let source = try desk.open("gps|%2Fdev%2FttyS0")
    #expect(source.id.description == "gps|usb-Maker_Receiver-if00")
  }

  @Test func `V3 raw values are the text of the message`() throws {
    let source = try desk.open("gps")
    try source.startUpdating()
    desk.link.say(.fix(second: 1))
    desk.settle()
    let raw = source.rawValue(ofPropertyAt: GPS.Field.latitude.rawValue)
    #expect(raw == RawValue("48.117300000".utf8, place: "TPV.lat"))
  }
}

extension String {
  /// A report of a fix in space.
  static func fix(second: Int, device: String = "/dev/ttyS0", eph: Double = 17.1) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-06-21T12:00:0\#(second).000Z","#
      + #""lat":48.117300000,"lon":11.5,"altMSL":545.4,"altHAE":592.3,"eph":\#(eph),"speed":5.144}"#
  }
}
