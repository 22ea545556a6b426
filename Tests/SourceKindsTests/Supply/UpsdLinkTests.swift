import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// The connection to upsd: what its errors and its end mean.
@Suite struct UpsdLinkTests {
  private let desk: UPSDesk

  init() throws { desk = try UPSDesk() }

  private func start(_ desk: UPSDesk) throws -> (Source, Words) {
    let source = try desk.context.open("ups|rack")
    let words = Words(source)
    try source.startUpdating(every: 1_000_000_000)
    #expect(desk.comes { desk.shown(source)["level"]?.status == .ok })
    return (source, words)
  }

  @Test func `without a listener nothing connects, and the remedy is named`() throws {
    let desk = try UPSDesk(isListening: false)
    #expect(try desk.context.sources(of: "ups").isEmpty)
    let source = try desk.context.open("ups")
    #expect(desk.comes { source.availability.state == .serviceNotRunning })
    #expect(source.availability.detail == "nothing listens on 127.0.0.1:3493")
    #expect(
      source.availability.remedy == "install nut-server and set MODE in /etc/nut/nut.conf")
    try desk.fixture.write("", to: "/sbin/upsd")
    try desk.context.rescan()
    let remedy = source.availability.remedy
    #expect(remedy == "set MODE in /etc/nut/nut.conf, then: systemctl restart nut-server")
    #expect(throws: SourceError.self) { try source.startUpdating() }
    #expect(desk.upsd.openings == 0)
  }

  @Test func `A6 the report tells whether upsd listens`() throws {
    for (isListening, version) in [(true, "listening on 127.0.0.1:3493"), (false, "")] {
      let desk = try UPSDesk(isListening: isListening)
      desk.play()
      guard case .list(let rows)? = try desk.context.report()["mechanisms"],
        case .dictionary(let row)? = rows.last
      else {
        Issue.record("no mechanisms")
        return
      }
      #expect(row["name"] == .string("upsd"))
      #expect(row["version"] == .string(version))
      #expect((row["remedy"]?.text ?? "").isEmpty == isListening)
    }
  }

  @Test func `stale data is passed over once, and shown as stale after that`() throws {
    desk.play()
    let source = try desk.context.open("ups|rack")
    let fresh = try desk.values(source)["load"]
    try desk.context.seek(to: 1_000_000_000)
    desk.upsd.fail("rack", "DATA-STALE")
    let first = try desk.values(source)["load"]
    #expect(first?.status == .ok)
    #expect(first?.sequence == fresh?.sequence)
    #expect(first?.time == fresh?.time)
    try desk.context.seek(to: 2_000_000_000)
    let second = try desk.values(source)
    #expect(second["load"]?.status == .stale)
    #expect(second["load"]?.payload == nil)
    #expect(second["load"]?.value == .double(0.25))
    #expect(second["load"]?.absence?.reason == "the driver of rack has no fresh data")
    #expect(second["load"]?.absence?.remedy == "systemctl restart nut-driver@rack")
    #expect(desk.comes { source.availability.state == .available })
    desk.upsd.set("rack", ["ups.load": "30"])
    try desk.context.seek(to: 3_000_000_000)
    #expect(try desk.values(source)["load"]?.value == .double(0.3))
    // It counts from the beginning again.
    desk.upsd.fail("rack", "DATA-STALE")
    try desk.context.seek(to: 4_000_000_000)
    #expect(try desk.values(source)["load"]?.status == .ok)
  }

  @Test func `stale data from the beginning is no data`() throws {
    desk.play()
    desk.upsd.fail("rack", "DATA-STALE")
    let values = try desk.read()
    #expect(values["level"]?.status == .noData)
    #expect(values["level"]?.absence?.reason == "the driver of rack has no fresh data")
  }

  @Test func `L10 a driver that ends is an absence, and its return is found after 1, 2, 4 s`()
    throws
  {
    desk.play()
    let (source, words) = try start(desk)
    #expect(words.take() == ["started", "update"])
    desk.upsd.fail("rack", "DRIVER-NOT-CONNECTED")
    try desk.advance(by: 1)
    try desk.advance(by: 0.1)
    #expect(desk.comes { source.availability.state == .disconnected })
    #expect(source.availability.remedy == "systemctl restart nut-driver@rack")
    #expect(source.isUpdating)
    #expect(desk.comes { desk.shown(source)["level"]?.status == .noData })
    #expect(desk.shown(source)["level"]?.absence?.reason == "the driver of rack does not run")
    #expect(words.take().contains("availabilityChanged"))
    let asked = desk.upsd.asked.count
    try desk.advance(by: 0.5)
    #expect(desk.upsd.asked.count == asked)
    desk.upsd.set("rack", ["battery.charge": "50"])
    try desk.advance(by: 1)
    try desk.advance(by: 0.1)
    #expect(desk.comes { source.availability.state == .available })
    #expect(desk.comes { desk.shown(source)["level"]?.value == .double(0.5) })
    #expect(!words.take().contains("stopped"))
    try source.stopUpdating()
  }

  @Test func `H4 an upsd that ends takes its devices along, and brings them back`() throws {
    desk.play()
    let (source, words) = try start(desk)
    _ = words.take()
    desk.upsd.happen(.closed(SystemError(ENOTCONN, at: "")))
    desk.upsd.settle()
    try desk.advance(by: 0.1)
    #expect(desk.comes { source.availability.state == .serviceNotRunning })
    #expect(source.availability.detail == "127.0.0.1:3493: closed")
    #expect(source.isUpdating)
    #expect(desk.comes { desk.shown(source)["level"]?.status == .noData })
    desk.upsd.happen(.opened)
    desk.upsd.settle()
    try desk.advance(by: 0.1)
    #expect(desk.comes { source.availability.state == .available })
    #expect(desk.comes { desk.shown(source)["level"]?.value == .double(1) })
    #expect(!words.take().contains("stopped"))
  }

  @Test func `H2 what upsd is told to read anew comes and goes while others watch`() throws {
    desk.play()
    let log = LineLog()
    let watch = try desk.context.watch("ups") { log.add("\($0.id) \($0.what)") }
    #expect(try desk.context.sources(of: "ups").count == 1)
    desk.upsd.list(("new", ""), ("rack", ""))
    desk.upsd.set("new", UPSDesk.plain)
    try desk.advance(by: 30)
    #expect(desk.comes { log.lines == ["ups|new added"] })
    desk.upsd.list(("new", ""))
    try desk.advance(by: 30)
    try desk.advance(by: 0.1)
    #expect(desk.comes { log.lines == ["ups|new added", "ups|rack removed"] })
    watch.end()
    #expect(desk.comes { !desk.upsd.isOpen })
  }

  @Test func `a device that upsd no longer knows is gone`() throws {
    desk.play()
    let (source, _) = try start(desk)
    desk.upsd.list()
    desk.upsd.fail("rack", "UNKNOWN-UPS")
    try desk.advance(by: 1)
    try desk.advance(by: 0.1)
    #expect(desk.comes { source.availability.state == .disconnected })
    #expect(try desk.context.sources(of: "ups").isEmpty)
    #expect(try desk.context.open("ups").availability.remedy == "name the UPS in /etc/nut/ups.conf")
  }

  @Test func `access denied is a permission that is refused`() throws {
    desk.upsd.answer("LIST UPS", ["ERR ACCESS-DENIED"])
    let all = try desk.context.open("ups")
    #expect(all.availability.state == .permissionDenied)
    #expect(all.availability.remedy == "allow this host in upsd.conf")
    let other = try UPSDesk()
    other.play()
    other.upsd.fail("rack", "ACCESS-DENIED")
    let source = try other.context.open("ups|rack")
    #expect(desk.comes { source.availability.state == .permissionDenied })
    #expect(source.availability.remedy == "allow this host in upsd.conf")
  }

  @Test func `any other error of a device is told in upsd's word`() throws {
    desk.play()
    desk.upsd.fail("rack", "FEATURE-\u{7}NOT-SUPPORTED")
    let source = try desk.context.open("ups|rack")
    #expect(desk.comes { source.availability.state == .failed })
    #expect(source.availability.detail.contains("NOT-SUPPORTED"))
    #expect(!source.availability.detail.contains("\u{7}"))
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request", "ERR UNKNOWN-COMMAND", "\u{0}\u{0}"])
  func `something else that listens there is told apart`(line: String) throws {
    desk.upsd.answer("LIST UPS", [line])
    let source = try desk.context.open("ups")
    #expect(desk.comes { source.availability.state == .failed })
    #expect(source.availability.detail == "127.0.0.1:3493 speaks another protocol")
    #expect(source.availability.remedy == "find out what listens on 127.0.0.1:3493")
  }

  @Test func `half an answer is waited for 1.8 s, and costs the connection`() throws {
    desk.play()
    let (source, words) = try start(desk)
    desk.upsd.answer("LIST VAR rack", ["BEGIN LIST VAR rack", "VAR rack ups.load \"1"])
    try desk.context.seek(to: 1_000_000_000)
    #expect(desk.comes { desk.upsd.patience == 1_800_000_000 })
    #expect(desk.comes { desk.shown(source)["load"]?.status == .noData })
    try desk.advance(by: 1.8)
    try desk.advance(by: 0.1)
    #expect(desk.comes { source.availability.state == .disconnected })
    #expect(try desk.context.open("ups").availability.errno == ETIMEDOUT)
    #expect(source.isUpdating)
    #expect(!words.take().contains("stopped"))
  }

  @Test func `an explicit look retries at once what was lost 2 s ago`() throws {
    desk.play()
    desk.upsd.refuse(ECONNREFUSED)
    let watch = try desk.context.watch("ups") { _ in }
    let source = try desk.context.open("ups")
    #expect(desk.comes { source.availability.state == .serviceNotRunning })
    let openings = desk.upsd.openings
    desk.upsd.refuse(nil)
    try desk.context.seek(to: 3_000_000_000)
    #expect(try desk.values(source)["level"]?.value == .double(1))
    #expect(desk.upsd.openings == openings + 1)
    watch.end()
  }

  @Test func `N9 an upsd elsewhere is a device of its host`() throws {
    let desk = try UPSDesk(
      at: ServiceAddress(host: "nas.lan", port: 3493), isListening: false)
    desk.play()
    #expect(try desk.context.sources(of: "ups").map(\.id.description) == ["ups|rack@nas.lan"])
    for id in ["ups|rack@nas.lan", "ups|rack", "ups"] {
      let source = try desk.context.open(id)
      #expect(source.id.description == "ups|rack@nas.lan")
      #expect(try desk.values(source)["level"]?.value == .double(1))
    }
    #expect(throws: SourceError.self) { try desk.context.open("ups|rack@other") }
    desk.upsd.fail("rack", "DRIVER-NOT-CONNECTED")
    let source = try desk.context.open("ups|rack")
    _ = try source.updateValues()
    try desk.context.rescan()
    #expect(
      desk.comes {
        source.availability.remedy == "systemctl restart nut-driver@rack # on nas.lan"
      })
    desk.upsd.refuse(ECONNREFUSED)
    #expect(try desk.context.open("ups").availability.remedy == "start upsd on nas.lan:3493")
  }

  @Test func `one connection serves all readers`() throws {
    desk.upsd.list(("a", ""), ("b", ""))
    for name in ["a", "b"] { desk.upsd.set(name, UPSDesk.plain) }
    let sources = try ["ups|a", "ups|b", "ups|a"].map { try desk.context.open($0) }
    for source in sources { try source.startUpdating(every: 1_000_000_000) }
    let openings = desk.upsd.openings
    for _ in 0..<5 { try desk.advance(by: 1) }
    #expect(desk.upsd.openings == openings)
    #expect(sources.allSatisfy { desk.shown($0)["level"]?.value == .double(1) })
    for source in sources { try source.stopUpdating() }
    #expect(desk.comes { !desk.upsd.isOpen })
  }
}
