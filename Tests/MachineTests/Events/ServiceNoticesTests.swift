import GatheredKitTesting
import Ground
import Testing

@testable import Machine

@Suite struct ServiceNoticesTests {
  private static let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when\n"
  private static let row =
    "   0: 0100007F:0B83 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 77\n"

  @Test func `H4 a daemon is looked for after 1, 2, 4 … 30 s, without connecting`() throws {
    let fixture = try FixtureMachine(["/proc/net/tcp": Self.table])
    let link = FixtureLink()
    let service = ServiceAccess(
      address: .gpsd, link: link, ports: ListeningPorts(files: fixture.machine.files))
    let log = LineLog()
    let loop = fixture.loop
    let notices = ServiceNotices(of: service, on: loop) { log.add("changed") }
    func looks() -> Int { fixture.files.reads(of: "/proc/net/tcp") }
    let first = looks()
    var moments: [Int64] = []
    for second in 1...70 as ClosedRange<Int64> {
      let before = looks()
      loop.advance(to: second * 1_000_000_000)
      if looks() > before { moments.append(second) }
    }
    #expect(first > 0)
    #expect(moments == [1, 3, 7, 15, 31, 61])
    #expect(log.lines.isEmpty)
    try fixture.write(Self.table + Self.row, to: "/proc/net/tcp")
    loop.advance(to: 91_000_000_000)
    #expect(log.lines == ["changed"])
    // What changed once is looked at soon again.
    try fixture.write(Self.table, to: "/proc/net/tcp")
    loop.advance(to: 92_000_000_000)
    #expect(log.lines == ["changed", "changed"])
    notices.cancel()
    let count = looks()
    loop.advance(to: 200_000_000_000)
    #expect(looks() == count)
    #expect(link.openings == 0)
  }

  @Test func `a daemon elsewhere is not looked for`() throws {
    let fixture = try FixtureMachine(["/proc/net/tcp": Self.table])
    let service = ServiceAccess(
      address: ServiceAddress(host: "pi.local", port: 2947), link: FixtureLink(),
      ports: ListeningPorts(files: fixture.machine.files))
    let notices = ServiceNotices(of: service, on: fixture.loop) {}
    #expect(fixture.loop.nextDue == nil)
    notices.cancel()
  }

  @Test func `a notice of another bus client reaches the subscribers of its topic`() throws {
    let notices = LiveNotices()
    let loop = VirtualLoop()
    let log = LineLog()
    let topic = ChangeTopic.report(service: "gpsd", of: "/dev/a")
    let first = try notices.subscribe(to: topic, on: loop) { _ in log.add("report") }
    let second = try notices.subscribe(to: .service("gpsd"), on: loop) { _ in log.add("service") }
    notices.send(ChangeNotice(topic: topic))
    notices.send(ChangeNotice(topic: .report(service: "gpsd", of: "/dev/b")))
    #expect(log.lines.isEmpty)
    loop.advance(to: 1)
    #expect(log.lines == ["report"])
    notices.send(ChangeNotice(topic: .service("gpsd")))
    loop.advance(to: 2)
    #expect(log.lines == ["report", "service"])
    first.cancel()
    second.cancel()
    notices.send(ChangeNotice(topic: topic))
    loop.advance(to: 3)
    #expect(log.lines.count == 2)
  }
}
