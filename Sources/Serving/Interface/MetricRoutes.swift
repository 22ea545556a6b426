import Gathering
import Ground
import Machine
import Recording

/// The pages for Prometheus (serve section 7).
enum MetricRoutes {
  static func all(_ served: ServedContext) -> [Route] {
    let scraper = MetricScraper(served.context, served.settings.wanted)
    let (own, node) = (KeptPage(), KeptPage())
    return [
      Route(
        .get, "/metrics", "all sources, for Prometheus", gives: "Text", manner: .patient
      ) { call in
        let (scrape, figures) = (try scraper.scrape(), served.figures)
        return answer(to: call.request) { form in
          own.text(as: form) { page in
            page.add(scrape)
            page.add(figures)
          }
        }
      },
      Route(
        .get, "/metrics/node", "the same under node_exporter's names", gives: "Text",
        manner: .patient
      ) { call in
        let scrape = try scraper.scrape()
        return answer(to: call.request) { form in node.text(as: form) { $0.addNode(scrape) } }
      },
    ]
  }

  /// A page as OpenMetrics where that is asked for, else as Prometheus's own text.
  private static func answer(
    to request: HTTPRequest, _ page: (MetricText) -> [UInt8]
  ) -> HTTPAnswer {
    let accepted = request.values(of: "accept").joined(separator: ",")
    let text: MetricText =
      accepted.contains("application/openmetrics-text") ? .openMetrics : .prometheus
    let bytes = page(text)
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

/// A page with all that it knows of names, from one scrape to the next.
private final class KeptPage: Sendable {
  private let page = Lock<MetricPage?>(nil)

  /// The text of a page once it is filled. Two who fill it at once have a page each.
  func text(as form: MetricText, _ fill: (inout MetricPage) -> Void) -> [UInt8] {
    var page = page.withLock { $0.take() } ?? MetricPage()
    fill(&page)
    let text = page.text(as: form)
    page.clear()
    // What is let go of, this holds until no lock is.
    let former = self.page.withLock { kept in
      defer { kept = page }
      return kept
    }
    withExtendedLifetime(former) {}
    return text
  }
}
