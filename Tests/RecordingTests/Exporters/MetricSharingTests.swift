import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Recording
import Testing
import Values

/// What scrapes spare the sources, and each other (serve W26).
struct MetricSharingTests {
  private let gate = Gate()
  private let fixture: FixtureMachine
  private let context: Context

  init() throws {
    fixture = try FixtureMachine()
    context = try Context.open(on: fixture.machine, loop: fixture.loop, catalogue: [gate])
  }

  @Test func `a source that hangs is asked once, however often it is scraped`() throws {
    let shut = try SourceIdentifier(parsing: "gate|shut")
    let scraper = MetricScraper(context, [shut])
    #expect(Patience.wait { (try? scraper.scrape(within: 20_000_000).sources.count) == 1 })
    for _ in 0..<5 {
      #expect(try scraper.scrape(within: 20_000_000).late == 1)
      usleep(10_000)
    }
    gate.open()
    let source = try context.open(shut)
    #expect(Patience.wait { gate.readings > 0 && !source.isBeingRead })
    #expect(gate.readings == 1)
    #expect(try scraper.scrape(within: Patience.limit).late == 0)
    #expect(gate.readings == 2)
    try context.close()
  }

  @Test func `scrapes at once share one reading`() throws {
    let scraper = MetricScraper(context, [try SourceIdentifier(parsing: "gate|shut")])
    let counts = Monitor<[Value]>([])
    let threads = try (0..<3).map { number in
      try WorkerThread(named: "scrape \(number)") {
        let found = try? scraper.scrape(within: Patience.limit)
        counts.withLock { $0.append(found?.sources.first?.samples.first?.value ?? .none) }
      }
    }
    #expect(Patience.wait { scraper.callers == 3 })
    gate.open()
    for thread in threads { thread.join() }
    #expect(counts.withLock { $0 } == [.int(1), .int(1), .int(1)])
    #expect(gate.readings == 1 && scraper.callers == 0)
    try context.close()
  }

  @Test func `what another session reads often enough is not read again`() throws {
    let id = try SourceIdentifier(parsing: "gate|open")
    let scraper = MetricScraper(context, [id])
    let other = try context.open(id)
    try other.startUpdating(every: 60_000_000_000)
    #expect(Patience.wait { other.allValues.first?.value == .int(1) })
    let spared = try scraper.scrape(within: Patience.limit)
    #expect(spared.late == 0 && spared.sources.first?.samples.first?.value == .int(1))
    try other.stopUpdating()
    #expect(try scraper.scrape(within: Patience.limit).late == 0)
    #expect(gate.readings == 2)
    try context.close()
  }

  @Test func `a list that hangs is late, and holds up no scrape`() throws {
    let lister = Gate(hangsInLists: true)
    let slow = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [lister])
    let scraper = MetricScraper(slow)
    let found = try scraper.scrape(within: 20_000_000)
    #expect(found.late == 1 && found.sources.isEmpty)
    lister.open()
    #expect(Patience.wait { (try? scraper.scrape(within: Patience.limit).late) == 0 })
    #expect(try scraper.scrape(within: Patience.limit).sources.count == 2)
    try slow.close()
    try context.close()
  }
}
