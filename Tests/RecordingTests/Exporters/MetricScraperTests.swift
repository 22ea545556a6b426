import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Recording
import Testing
import Values

@testable import SourceKinds

/// Reading all sources for one page (serve W26, W29).
struct MetricScraperTests {
  @Test func `a source that hangs is left out, and the others are not held up`() throws {
    let fixture = try FixtureMachine()
    let gate = Gate()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [gate])
    let scraper = MetricScraper(context)
    var scrape = try scraper.scrape(within: 50_000_000)
    // On a slow machine the list may be late at first.
    while scrape.sources.count < 2 { scrape = try scraper.scrape(within: 50_000_000) }
    #expect(scrape.late == 1 && scrape.sources.count == 2)
    let shut = try #require(scrape.sources.first { $0.instance == "shut" })
    #expect(shut.samples.isEmpty && shut.availability.group == .available)
    // Another scrape does not ask once more what has not answered yet.
    #expect(try scraper.scrape(within: 50_000_000).late == 1)
    gate.open()
    var found = try scraper.scrape()
    while found.late > 0 { found = try scraper.scrape() }
    let opened = try #require(found.sources.first { $0.instance == "shut" })
    #expect(opened.samples.first?.payload?.number.map { $0 >= 1 } == true)
    try context.close()
  }

  @Test func `what is named is read, all instances of a kind where only that is`() throws {
    let context = try Context.open(
      "sim:laptop&clock=manual", catalogue: SourceCatalogue.all)
    let all = MetricScraper(context)
    let scrape = try all.scrape(within: Patience.limit)
    #expect(Set(scrape.sources.map(\.kind)) == Set(context.catalogue.map(\.kind)))
    let some = MetricScraper(context, [try SourceIdentifier(parsing: "storage|%2Fhome")])
    #expect(try some.scrape(within: Patience.limit).sources.map(\.instance) == ["/home"])
    let storage = MetricScraper(context, [try SourceIdentifier(parsing: "storage")])
    #expect(
      try storage.scrape(within: Patience.limit).sources.count
        == (try context.sources(of: "storage").count))
    try context.close()
  }

  @Test(arguments: ["laptop", "sensors-phone"])
  func `one bad attribute costs its samples, never the page`(name: String) throws {
    let fixture = try FixtureMachine(folder: Self.folder(of: name))
    let whole = try Self.metrics(of: fixture)
    #expect(whole.count > 50)
    // The machine's identity is in the names of screens and drives, a model in that of its drive.
    for path in try Self.files(below: "/", of: fixture.files)
    where path != "/etc/machine-id" && !path.hasSuffix("/device/model") {
      fixture.files.fail(path, with: EIO)
      let broken = try Self.metrics(of: fixture)
      fixture.files.mend(path)
      let others = whole.filter { broken[$0.key] == nil }
      #expect(others.count < whole.count / 2, "\(path)")
      for (metric, number) in broken where number != whole[metric] {
        // A sum of fewer may differ. Nothing takes the place of what is missing.
        #expect(whole[metric] != nil && number != "0" && number != "0.0", "\(path): \(metric)")
      }
    }
  }

  private static func folder(of machine: String) -> String {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(tests)/Fixtures/machines/\(machine)"
  }

  /// All files below a folder of a machine.
  private static func files(below folder: String, of files: any FileTree) throws -> [String] {
    try files.entries(of: folder).flatMap { name -> [String] in
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      guard (try? files.linkTarget(of: path)) == nil else { return [] }
      return (try? Self.files(below: path, of: files)) ?? [path]
    }
  }

  /// The numbers on a page of all sources of a machine, availability aside.
  private static func metrics(of fixture: FixtureMachine) throws -> [Substring: Substring] {
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    let scraper = MetricScraper(context)
    var page = MetricPage()
    for source in try scraper.scrape(within: Patience.limit).sources { page.add(source) }
    let lines = String(decoding: page.text(as: .openMetrics), as: UTF8.self).split(separator: "\n")
    let pairs = lines.filter { !$0.hasPrefix("#") && !$0.hasPrefix("gathered_source_available") }
      .map { line in
        let gap = line.lastIndex(of: " ") ?? line.startIndex
        // Of texts it does not matter here which are there.
        let isInfo = line.prefix { $0 != "{" }.hasSuffix("_info")
        let name = isInfo ? line.prefix { $0 != "," } : line[..<gap]
        return (name, line[line.index(after: gap)...])
      }
    // A metric that was there twice would end the test here.
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
