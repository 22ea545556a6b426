import ArgumentParser
import CommandOptions
import Gathering
import Recording
import Values

/// `gathered metrics`: one reading of every source, as Prometheus and its kin scrape it.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Write one reading of every source as metrics for Prometheus.",
    discussion: """
      Names are gathered_KIND_KEY_UNIT in base units, with the instance as the label 'source'. A \
      value that is missing has no sample; gathered_source_available tells which sources are not \
      there, and why. Personal values are left out unless their category is allowed.

      What is not read within 0.8 s is left out and counted in gathered_scrape_late. With -o a \
      file is written aside and takes the name when it is whole, for the textfile collector of \
      node_exporter. A new file is for its owner only; one that is there keeps its mode. The exec \
      input of Telegraf runs the command itself.

      With --node what node_exporter tells too has its names, labels and numbers, and nothing else \
      is written: where node_exporter runs, leave it to that.

      EXAMPLES
        gathered metrics
        gathered metrics battery 'network|eth0'
        gathered metrics -o /var/lib/prometheus/node-exporter/gathered.prom
        gathered metrics | promtool check metrics
        gathered metrics --node
      """)

  /// The text to write.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case prometheus, openmetrics

    var text: MetricText {
      switch self {
      case .prometheus: .prometheus
      case .openmetrics: .openMetrics
      }
    }
  }

  @OptionGroup var options: ContextOptions

  @Option(help: "Prometheus's text 0.0.4, or OpenMetrics 1.0.")
  var format = Format.prometheus

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write this file, not to standard output.", valueName: "file"))
  var output: String?

  @Flag(help: "The names of node_exporter, and only what it tells the same.")
  var node = false

  @Argument(
    help: ArgumentHelp("Sources to read; default: all there are.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func run() throws {
    try options.withContext { context in
      let wanted = try ids.map { id -> SourceIdentifier in
        guard case .source(let source) = try TypedIdentifier.parse(id, in: context) else {
          throw CommandFailure.usage("\"\(id)\" is a property; metrics are of whole sources")
        }
        return source
      }
      let scraper = MetricScraper(context, wanted)
      var page = MetricPage()
      let scrape = try scraper.scrape()
      if node { page.addNode(scrape) } else { page.add(scrape) }
      let text = page.text(as: format.text)
      if let output { return try WholeFile.write(text, to: output) }
      try StandardOutput.write(String(decoding: text, as: UTF8.self))
    }
  }
}
