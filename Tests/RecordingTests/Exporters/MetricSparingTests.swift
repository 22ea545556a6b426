import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

/// What a scrape does not do again (serve section 11).
struct MetricSparingTests {
  private static let board = "/sys/class/dmi/id/board_name"
  private static let serial = "/sys/class/dmi/id/product_serial"

  private static func machine(
    bus: (any MessageBus)? = nil, nature: Machine.Nature = .captured
  ) throws -> FixtureMachine {
    try FixtureMachine(
      [
        "/etc/machine-id": String(repeating: "0123456789abcdef", count: 2) + "\n",
        "/proc/meminfo": "MemTotal: 100 kB\nMemFree: 50 kB\n",
        board: "Board\n", serial: "S123\n",
      ], nature: nature, bus: bus)
  }

  private static func value(
    _ key: String, of kind: String, in scrape: MetricScraper.Scrape
  ) -> Sample? {
    scrape.sources.first { $0.kind == kind }.flatMap { source in
      zip(source.properties, source.samples).first { $0.0.key == key }?.1
    }
  }

  @Test func `what cannot change is read once, what changes each time`() throws {
    let fixture = try Self.machine()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    let scraper = MetricScraper(context)
    let first = try scraper.scrape(within: Patience.limit)
    #expect(Self.value("board_name", of: "device_metadata", in: first)?.value == .string("Board"))
    let reads = ["/proc/meminfo", Self.board].map(fixture.files.reads)
    let second = try scraper.scrape(within: Patience.limit)
    #expect(Self.value("board_name", of: "device_metadata", in: second)?.value == .string("Board"))
    #expect(fixture.files.reads(of: "/proc/meminfo") > reads[0])
    #expect(fixture.files.reads(of: Self.board) == reads[1])
    try context.close()
  }

  @Test func `a kind that has no instance is looked for once a scrape`() throws {
    let fixture = try Self.machine()
    let absent = Absent()
    let context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [absent])
    let scraper = MetricScraper(context)
    _ = try scraper.scrape(within: Patience.limit)
    for step in Int64(1)...2 {
      fixture.loop.advance(to: step * 10_000_000_000)
      let looks = absent.looks
      let found = try scraper.scrape(within: Patience.limit)
      #expect(found.sources.map(\.availability.state) == [.noHardware])
      #expect(found.sources.allSatisfy(\.samples.isEmpty) && found.late == 0)
      #expect(absent.looks == looks + 1)
    }
    try context.close()
  }

  @Test func `what could not be read is read again`() throws {
    let fixture = try Self.machine()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    let scraper = MetricScraper(context)
    for code in [EIO, EACCES] {
      fixture.files.fail(Self.board, with: code)
      let broken = MetricScraper(context)
      let found = try broken.scrape(within: Patience.limit)
      #expect(Self.value("board_name", of: "device_metadata", in: found)?.payload == nil)
      fixture.files.mend(Self.board)
      let whole = try broken.scrape(within: Patience.limit)
      #expect(Self.value("board_name", of: "device_metadata", in: whole)?.value == .string("Board"))
    }
    #expect(try scraper.scrape(within: Patience.limit).late == 0)
    try context.close()
  }

  @Test func `what was not allowed is read once it is`() throws {
    let fixture = try Self.machine()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    let scraper = MetricScraper(context)
    for _ in 0..<2 {
      let found = try scraper.scrape(within: Patience.limit)
      #expect(Self.value("serial", of: "device_metadata", in: found)?.status == .permission)
    }
    try context.setAllow(.all)
    let found = try scraper.scrape(within: Patience.limit)
    #expect(Self.value("serial", of: "device_metadata", in: found)?.value == .string("S123"))
    try context.close()
  }

  @Test func `a scrape, and a list of all, asks each service of the bus once`() throws {
    let bus = FixtureBus()
    let fixture = try Self.machine(bus: bus, nature: .live)
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    let scraper = MetricScraper(context)
    let proxy = "net.hadess.SensorProxy"
    for count in 1...3 {
      _ = try scraper.scrape(within: Patience.limit)
      #expect(bus.beginnings(of: proxy) == count)
      #expect(bus.watchCount(of: proxy) == 0)
    }
    _ = try context.sources()
    #expect(bus.beginnings(of: proxy) == 4)
    try context.close()
  }
}

/// A kind that no machine has, which counts the looks for it.
private struct Absent: SourceKind {
  let kind = "absent"
  let name = "Absent"
  let properties = [Property("count", .int, unit: "1", .onChange)]
  let intervals = Intervals(seconds: 1, minimum: 0.001)
  private let count = Monitor(0)

  var looks: Int { count.withLock { $0 } }

  func discover(on machine: Machine) -> Discovery {
    count.withLock { $0 += 1 }
    return Discovery([], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}
