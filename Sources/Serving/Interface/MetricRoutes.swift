import Gathering
import Machine
import Recording

/// The pages for Prometheus (serve section 7).
enum MetricRoutes {
  static func all(_ served: ServedContext) -> [Route] {
    let scraper = MetricScraper(served.context, served.settings.wanted)
    return [
      Route(
        .get, "/metrics", "all sources, for Prometheus", gives: "Text", manner: .patient
      ) { call in
        var page = MetricPage()
        page.add(try scraper.scrape())
        page.add(served.figures)
        return answer(page, to: call.request)
      },
      Route(
        .get, "/metrics/node", "the same under node_exporter's names", gives: "Text",
        manner: .patient
      ) { call in
        var page = MetricPage()
        page.addNode(try scraper.scrape())
        return answer(page, to: call.request)
      },
    ]
  }

  /// A page as OpenMetrics where that is asked for, else as Prometheus's own text.
  private static func answer(_ page: MetricPage, to request: HTTPRequest) -> HTTPAnswer {
    let accepted = request.values(of: "accept").joined(separator: ",")
    let text: MetricText =
      accepted.contains("application/openmetrics-text") ? .openMetrics : .prometheus
    let bytes = page.text(as: text)
    let vary = HeaderField("Vary", "Accept, Accept-Encoding")
    guard takesGzip(request), let short = GzipText.compressed(bytes) else {
      return HTTPAnswer(200, text.contentType, .bytes(bytes), fields: [vary])
    }
    return HTTPAnswer(
      200, text.contentType, .bytes(short), fields: [vary, HeaderField("Content-Encoding", "gzip")])
  }

  /// Whether a request names gzip as an encoding, and not to refuse it.
  private static func takesGzip(_ request: HTTPRequest) -> Bool {
    request.values(of: "accept-encoding").flatMap { $0.split(separator: ",") }.contains { part in
      let words = part.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      return words.first == "gzip" && !words.dropFirst().contains { Double($0.dropFirst(2)) == 0 }
    }
  }
}
