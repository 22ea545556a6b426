public import Gathering
import Ground
public import Values

/// Reads sources for pages of metrics, side by side, within a limit (serve W26).
///
/// Sources that answer at once are read on the calling thread; each other one on a thread of its
/// own, for which a scrape does not wait beyond the limit. What another session of the context has
/// read within its interval is not read again. Any thread may call: a scrape that is asked for
/// while another is under way is that one.
public final class MetricScraper: Sendable {
  /// What a scrape found.
  public struct Scrape: Sendable {
    /// All sources; those that were read have their values.
    public var sources: [MetricSource] = []
    /// How many were not in within the limit.
    public var late = 0
    /// How long it took, in nanoseconds.
    public var duration: Int64 = 0
  }

  /// How long a scrape may take, in nanoseconds.
  public static let limit: Int64 = 800_000_000

  /// A scrape under way, for all who have asked for it.
  private typealias Shared = Monitor<Result<Scrape, SourceError>?>

  private let context: Context
  private let wanted: [SourceIdentifier]
  private let shared = Monitor<Shared?>(nil)
  private let sessions = Monitor<[SourceIdentifier: MetricSession]>([:])

  /// A scraper of sources, all instances where only a kind is named; of everything if nothing is.
  public init(_ context: Context, _ wanted: [SourceIdentifier] = []) {
    self.context = context
    self.wanted = wanted
  }

  /// Reads every source once. Throws `closed`, `forked`, and `notFound` for what there cannot be.
  public func scrape(within limit: Int64 = MetricScraper.limit) throws(SourceError) -> Scrape {
    let own = Shared(nil)
    let underWay = shared.withLock { shared -> Shared? in
      if let shared { return shared }
      shared = own
      return nil
    }
    if let underWay, let found = underWay.wait(for: { $0 }) { return try found.get() }
    let found = Result { () throws(SourceError) in try scrapeAlone(within: limit) }
    shared.withLock { $0 = nil }
    own.withLock { $0 = found }
    own.signalAll()
    return try found.get()
  }

  private func scrapeAlone(within limit: Int64) throws(SourceError) -> Scrape {
    let begin = Monitor<Void>.moment(after: 0)
    let deadline = begin + limit
    let asked = try sessionsOfAll()
    let unread = asked.filter { !$0.isSpared() }
    // Those that may take long begin first.
    let slow = unread.filter(\.isSlow)
    for session in slow { session.begin(until: deadline) }
    for session in unread where !session.isSlow { session.read(until: deadline) }
    var scrape = Scrape()
    for session in asked {
      let found = session.found(by: deadline)
      scrape.sources.append(found ?? MetricSource(session.source, samples: []))
      if found == nil { scrape.late += 1 }
    }
    scrape.duration = Monitor<Void>.moment(after: 0) - begin
    return scrape
  }

  /// A session for each source that is wanted, in catalogue order; those there are go on.
  private func sessionsOfAll() throws(SourceError) -> [MetricSession] {
    var ids: [SourceIdentifier] = []
    let all = wanted.isEmpty ? context.catalogue.map(\.id) : wanted
    for id in all {
      let instances = id.instance == nil ? try context.sources(of: id.kind).map(\.id) : []
      ids += instances.isEmpty ? [id] : instances
    }
    let known = sessions.withLock { $0 }
    var open: [SourceIdentifier: MetricSession] = [:]
    var found: [MetricSession] = []
    for id in ids where open[id] == nil {
      let session: MetricSession
      if let former = known[id] {
        session = former
      } else {
        session = try MetricSession(of: id, in: context)
      }
      open[id] = session
      found.append(session)
    }
    // What is let go of here, `known` holds until no lock is.
    sessions.withLock { $0 = open }
    return found
  }
}

extension SourceKind {
  fileprivate var id: SourceIdentifier {
    SourceIdentifier(checkedKind: kind, instance: nil, device: nil)
  }
}
