import Glibc
import Testing

/// `gathered metrics`: one reading of every source, as Prometheus scrapes it.
struct MetricsTests {
  @Test func `all sources are told, and what is personal is not`() throws {
    let outcome = try Program.run("metrics", "--context", "sim:laptop&clock=manual")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.contains("# TYPE gathered_battery_level_ratio gauge\n"))
    #expect(outcome.output.contains("# TYPE gathered_storage_read_bytes_total counter\n"))
    #expect(outcome.output.contains("\ngathered_memory_total_bytes{source="))
    #expect(outcome.output.contains("gathered_scrape_late 0\n"))
    #expect(!outcome.output.contains("# EOF") && !outcome.output.contains("serial="))
  }

  @Test func `with --node there are names of node_exporter, and none of ours but figures`() throws {
    let outcome = try Program.run("metrics", "--node", "--context", "sim:laptop&clock=manual")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.contains("# TYPE node_network_receive_bytes_total counter\n"))
    #expect(outcome.output.contains("\nnode_load1 "))
    let ours = outcome.output.split(separator: "\n").filter { $0.hasPrefix("gathered_") }
    #expect(ours.allSatisfy { $0.hasPrefix("gathered_scrape_") || $0.contains("_build_info") })
  }

  @Test func `sources can be named, properties cannot`() throws {
    let words = ["metrics", "storage|/home", "--format", "openmetrics", "--context", "sim:laptop"]
    let outcome = try Program(words).finish()
    #expect(outcome.code == 0 && outcome.output.hasSuffix("# EOF\n"))
    #expect(outcome.output.contains(#"{source="/home"}"#))
    #expect(!outcome.output.contains(#"source="/"}"#) && !outcome.output.contains("memory"))
    let narrow = try Program.run("metrics", "memory/total", "--context", "sim:laptop")
    #expect(narrow.code == 2 && narrow.errors.contains("metrics are of whole sources"))
  }

  @Test func `a file takes its name when it is whole, and keeps its mode`() throws {
    let file = try TemporaryFile(Array("before".utf8))
    #expect(chmod(file.path, S_IRUSR | S_IWUSR | S_IRGRP) == 0)
    let words = ["metrics", "-o", file.path, "--context", "sim:phone&clock=manual"]
    let outcome = try Program(words).finish()
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    #expect(file.content?.hasPrefix("# HELP gathered_") == true)
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == S_IRUSR | S_IWUSR | S_IRGRP)
    let gone = try Program.run("metrics", "-o", "/nowhere/at.prom", "--context", "sim:phone")
    #expect(gone.code == 1 && gone.errors.contains("cannot write /nowhere/at.prom: "))
  }
}
