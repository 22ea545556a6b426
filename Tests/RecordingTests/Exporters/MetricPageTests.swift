import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import Recording
@testable import SourceKinds

/// Sources as the text that Prometheus scrapes (serve W27 to W30).
struct MetricPageTests {
  private static let there = Availability(.available, backend: "test")

  private static func source(
    _ instance: String, _ values: [(Property, Sample)], _ availability: Availability = there
  ) -> MetricSource {
    MetricSource(
      Shaker(), instance: instance, availability, values.map(\.0), values.map(\.1))
  }

  /// The lines about families whose names begin so.
  private static func lines(
    _ page: MetricPage, _ form: MetricText = .openMetrics, about start: String = "gathered_shaker_"
  ) -> [String] {
    String(decoding: page.text(as: form), as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { line in
        ["", "# TYPE ", "# UNIT ", "# HELP "].contains { line.hasPrefix($0 + start) }
      }
  }

  @Test func `every unit of the catalogue has a name`() {
    for kind in SourceCatalogue.all {
      for property in kind.properties {
        let unit = property.unit ?? "1"
        #expect(MetricUnit.knows(unit), "\(kind.kind)/\(property.key): \(unit)")
      }
    }
  }

  @Test func `every property of a kind has a family of its own`() {
    for kind in SourceCatalogue.all {
      let families = kind.properties.compactMap { property in
        MetricFamily.of(property, kind: kind.kind, kindName: kind.name)
      }.filter { if case .label = $0.form { false } else { true } }.map(\.family)
      let names = families.map(\.name)
      #expect(Set(names).count == names.count, "\(kind.kind)")
      // What ends the samples of counters, histograms and infos.
      for word in ["total", "count", "sum", "bucket", "created", "info"] {
        let clash = families.first { $0.kind != .counter && $0.name.hasSuffix("_" + word) }
        #expect(clash?.name == nil)
      }
    }
  }

  @Test func `W32: a server tells its clients, its streams, and what slow ones have lost`() {
    var page = MetricPage()
    page.add(ServerFigures(connections: 3, streams: 2, lostRows: .max))
    #expect(
      Self.lines(page, about: "gathered_serve_").filter { !$0.hasPrefix("# HELP") } == [
        "# TYPE gathered_serve_connections gauge", "gathered_serve_connections 3",
        "# TYPE gathered_serve_rows_lost counter",
        "gathered_serve_rows_lost_total 9223372036854775807",
        "# TYPE gathered_serve_streams gauge", "gathered_serve_streams 2",
      ])
  }

  @Test func `numbers are told in base units, counters as totals`() {
    let values = [
      (Property("level", .double, unit: "%", .onChange), Sample(.double(72))),
      (Property("share", .double, unit: "1", .onChange, range: 0...1), Sample(.double(0.25))),
      (Property("load", .double, unit: "1", .onChange), Sample(.double(2.5))),
      (
        Property("field", .vector(components: ["x", "y"]), unit: "uT", .continuous),
        Sample(.vector(Vector(20, -35)))
      ),
      (
        Property("read_bytes", .int, unit: "By", .onChange, .counter),
        Sample(.int(9_007_199_254_740_993))
      ),
      (Property("inodes_total", .int, unit: "1", .onChange), Sample(.int(7))),
      (Property("since", .time, .onChange), Sample(.time(1_700_000_000_500_000_000))),
      (Property("on", .bool, .onChange), Sample(.bool(true))),
    ]
    var page = MetricPage()
    page.add(Self.source("s", values))
    let samples = Self.lines(page).filter { !$0.hasPrefix("#") }
    #expect(
      samples == [
        #"gathered_shaker_field_teslas{source="s",axis="x"} 2e-05"#,
        #"gathered_shaker_field_teslas{source="s",axis="y"} -3.5e-05"#,
        #"gathered_shaker_inodes{source="s"} 7"#,
        #"gathered_shaker_level_ratio{source="s"} 0.72"#,
        #"gathered_shaker_load{source="s"} 2.5"#,
        #"gathered_shaker_on{source="s"} 1"#,
        #"gathered_shaker_read_bytes_total{source="s"} 9007199254740993"#,
        #"gathered_shaker_share_ratio{source="s"} 0.25"#,
        #"gathered_shaker_since_timestamp_seconds{source="s"} 1700000000.5"#,
      ])
    #expect(Self.lines(page).contains("# TYPE gathered_shaker_read_bytes counter"))
    #expect(Self.lines(page).contains("# UNIT gathered_shaker_read_bytes bytes"))
    #expect(
      Self.lines(page, .prometheus).contains("# TYPE gathered_shaker_read_bytes_total counter"))
    #expect(!Self.lines(page, .prometheus).contains { $0.hasPrefix("# UNIT") })
  }

  @Test func `words are states, and a new word is another state`() {
    let mode = Property("mode", .enumeration(["idle", "busy"]), .onChange)
    var page = MetricPage()
    page.add(Self.source("a", [(mode, Sample(.string("busy")))]))
    page.add(Self.source("b", [(mode, Sample(.string("dreaming")))]))
    #expect(
      Self.lines(page) == [
        "# HELP gathered_shaker_mode Shaker: Mode",
        "# TYPE gathered_shaker_mode stateset",
        #"gathered_shaker_mode{source="a",gathered_shaker_mode="idle"} 0"#,
        #"gathered_shaker_mode{source="a",gathered_shaker_mode="busy"} 1"#,
        #"gathered_shaker_mode{source="a",gathered_shaker_mode="other"} 0"#,
        #"gathered_shaker_mode{source="b",gathered_shaker_mode="idle"} 0"#,
        #"gathered_shaker_mode{source="b",gathered_shaker_mode="busy"} 0"#,
        #"gathered_shaker_mode{source="b",gathered_shaker_mode="other"} 1"#,
      ])
    #expect(Self.lines(page, .prometheus).contains("# TYPE gathered_shaker_mode gauge"))
  }

  @Test func `texts that stay are labels of one metric, others are left out`() {
    let values = [
      (Property("model", .string, .static), Sample(.string("a \"b\" \\ c\nd"))),
      (Property("maker", .string, .static), Sample(.string("ÄÖ"))),
      (Property("source", .string, .static), Sample(.string("/dev/sda"))),
      (Property("owner", .string, .onChange), Sample(.string("Wilma"))),
      (Property("key", .bytes, .onChange), Sample(.bytes([1, 2]))),
    ]
    var page = MetricPage()
    page.add(Self.source("/", values))
    let labels = #"model="a \"b\" \\ c\nd",maker="ÄÖ",shaker_source="/dev/sda""#
    #expect(
      Self.lines(page, about: "gathered_shaker").last
        == #"gathered_shaker_info{source="/","# + labels + "} 1")
    let text = String(decoding: page.text(as: .openMetrics), as: UTF8.self)
    #expect(!text.contains("Wilma") && text.hasSuffix("# EOF\n"))
  }

  @Test(arguments: [ValueStatus.noData, .stale, .permission, .unsupported, .failed])
  func `a value that is not ok has no sample`(status: ValueStatus) {
    let level = Property("level", .double, unit: "%", .onChange)
    var page = MetricPage()
    page.add(Self.source("a", [(level, Sample(.double(50), status: status))]))
    page.add(Self.source("b", [(level, Sample(.double(.nan)))]))
    #expect(Self.lines(page).isEmpty)
    page.add(Self.source("c", [(level, Sample(.double(0)))]))
    #expect(Self.lines(page).last == #"gathered_shaker_level_ratio{source="c"} 0.0"#)
  }

  @Test func `a source that is not there says why`() {
    var page = MetricPage()
    page.add(Self.source("a", [], Availability(.poweredOff)))
    page.add(Self.source("b", []))
    #expect(
      Self.lines(page, about: "gathered_source_available").suffix(2) == [
        #"gathered_source_available{kind="shaker",source="a",reason="poweredOff"} 0"#,
        #"gathered_source_available{kind="shaker",source="b"} 1"#,
      ])
  }

  @Test func `a page has each family once, by name, and ends where there are too many`() {
    let load = Property("load", .double, unit: "1", .onChange)
    let zeal = Property("zeal", .double, unit: "1", .onChange)
    var page = MetricPage()
    for number in 0..<60_000 {
      page.add(Self.source("\(number)", [(zeal, Sample(.double(1))), (load, Sample(.double(2)))]))
    }
    let lines = String(decoding: page.text(as: .openMetrics), as: UTF8.self).split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("# TYPE") }
    #expect(
      names == [
        "# TYPE gathered_scrape_truncated gauge", "# TYPE gathered_shaker_load gauge",
      ])
    #expect(lines.contains("gathered_scrape_truncated 1"))
    page.clear()
    let empty = String(decoding: page.text(as: .openMetrics), as: UTF8.self)
    #expect(empty.contains("gathered_scrape_truncated 0") && !empty.contains("zeal"))
  }

  @Test(arguments: [0, -1, 9, 10, 99, 100, -1_000_000_007, .max, .min] as [Int64])
  func `a whole number has all its digits`(number: Int64) {
    let events = Property("events", .int, .onChange)
    var page = MetricPage()
    page.add(Self.source("a", [(events, Sample(.int(number)))]))
    #expect(Self.lines(page).last == #"gathered_shaker_events{source="a"} \#(number)"#)
  }

  @Test(arguments: [
    0.1, -2.5e-300, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, 1e15, 1.0 / 3,
  ])
  func `a number reads back as it is`(number: Double) {
    let load = Property("load", .double, unit: "1", .onChange)
    var page = MetricPage()
    page.add(Self.source("a", [(load, Sample(.double(number)))]))
    let word = Self.lines(page).last?.split(separator: " ").last
    #expect(word.flatMap { Double($0) } == number)
  }

  @Test func `a page used again says what a new one says, in both texts`() {
    let first = Property("zeal", .double, unit: "1", .onChange)
    let second = Property("events", .int, .continuous, .counter)
    var (used, new) = (MetricPage(), MetricPage())
    used.add(Self.source("a", [(first, Sample(.double(1)))]))
    used.clear()
    for instance in ["b", "c"] {
      let source = Self.source(
        instance, [(second, Sample(.int(7))), (first, Sample(.double(0.5)))])
      used.add(source)
      new.add(source)
    }
    for form in [MetricText.openMetrics, .prometheus] {
      #expect(used.text(as: form) == new.text(as: form))
    }
  }
}
