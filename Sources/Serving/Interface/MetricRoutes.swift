import Gathering
import Ground
import Recording

/// The pages for Prometheus (serve section 7).
enum MetricRoutes {
  static func all(_ served: ServedContext) -> [Route] {
    let scraping = Scraping(served)
    return [
      Route(.get, "/metrics", "all sources, for Prometheus", gives: "Text") { call in
        let text = wanted(call.request)
        return HTTPAnswer(200, text.contentType, .bytes(try scraping.page().text(as: text)))
      }
    ]
  }

  /// OpenMetrics where it is asked for, else Prometheus's own text.
  private static func wanted(_ request: HTTPRequest) -> MetricText {
    let accepted = request.values(of: "accept").joined(separator: ",")
    return accepted.contains("application/openmetrics-text") ? .openMetrics : .prometheus
  }
}

/// The scraper of a server; scrapes that come while one goes on share its page (W26).
final class Scraping: Sendable {
  private struct State {
    var scraper: MetricScraper
    var isBusy = false
    var number: UInt64 = 0
    var page = MetricPage()
    var failure: SourceError?
  }

  private let state: Monitor<State>

  init(_ served: ServedContext) {
    state = Monitor(State(scraper: MetricScraper(served.context, served.settings.wanted)))
  }

  /// The page of a scrape that begins now, or of one that others have begun.
  func page() throws(SourceError) -> MetricPage {
    let (mine, number) = state.withLock { state -> (MetricScraper?, UInt64) in
      if state.isBusy { return (nil, state.number + 1) }
      state.isBusy = true
      return (state.scraper, state.number + 1)
    }
    if let mine { scrape(mine) }
    let result = state.wait { state -> Result<MetricPage, SourceError>? in
      guard state.number >= number else { return nil }
      return state.failure.map(Result.failure) ?? .success(state.page)
    }
    return try result?.get() ?? MetricPage()
  }

  private func scrape(_ scraper: consuming MetricScraper) {
    var scraper = scraper
    var page = MetricPage()
    var failure: SourceError?
    do throws(SourceError) {
      page.add(try scraper.scrape())
    } catch {
      failure = error
    }
    let (done, made, trouble) = (scraper, page, failure)
    state.withLock { state in
      state.scraper = done
      state.isBusy = false
      state.number += 1
      (state.page, state.failure) = (made, trouble)
    }
    state.signalAll()
  }
}
