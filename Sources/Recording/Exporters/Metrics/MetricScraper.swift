public import Gathering
import Ground
public import Values

/// Reads sources for pages of metrics, side by side, within a limit (serve W26).
///
/// What is done at once is done on the calling thread, be it a list or a reading; all else on
/// threads of their own, for which a scrape does not wait beyond the limit. What another session of
/// the context has read within its interval is not read again. Any thread may call: a scrape that
/// is asked for while another is under way is that one.
public final class MetricScraper: Sendable {
  /// What a scrape found.
  public struct Scrape: Sendable {
    /// All sources; those that were read have their values.
    public var sources: [MetricSource] = []
    /// How many sources, and lists of them, were not in within the limit.
    public var late = 0
    /// How long it took, in nanoseconds.
    public var duration: Int64 = 0
  }

  /// How long a scrape may take, in nanoseconds.
  public static let limit: Int64 = 800_000_000

  private typealias Outcome = Result<Scrape, SourceError>
  /// What comes of a scrape under way, for all who wait for it.
  private typealias Shared = Monitor<Outcome?>

  private struct UnderWay {
    var shared: Shared?
    var callers = 0
  }

  private let context: Context
  private let lists: [MetricList]
  private let line = SerialWorker(named: "gkit-scrape")
  private let underWay = Monitor(UnderWay())

  /// A scraper of sources, all instances where only a kind is named; of everything if nothing is.
  public init(_ context: Context, _ wanted: [SourceIdentifier] = []) {
    self.context = context
    let all = wanted.isEmpty ? context.catalogue.map(\.id) : wanted
    lists = all.map { MetricList($0, in: context) }
  }

  /// Reads every source once. Throws `closed`, `forked`, and `notFound` for what there cannot be.
  public func scrape(within limit: Int64 = MetricScraper.limit) throws(SourceError) -> Scrape {
    let joined = underWay.withLock { state -> Shared? in
      state.callers += 1
      if let shared = state.shared { return shared }
      state.shared = Shared(nil)
      return nil
    }
    defer { underWay.withLock { $0.callers -= 1 } }
    if let joined, let found = joined.wait(for: { $0 }) { return try found.get() }
    let found = Outcome { () throws(SourceError) in try scrapeAlone(within: limit) }
    let waiting = underWay.withLock { state in
      defer { state.shared = nil }
      return state.shared
    }
    waiting?.withLock { $0 = found }
    waiting?.signalAll()
    return try found.get()
  }

  /// How many wait for a scrape, or make one.
  package var callers: Int { underWay.withLock { $0.callers } }

  private func scrapeAlone(within limit: Int64) throws(SourceError) -> Scrape {
    let begin = Monitor<Void>.moment(after: 0)
    let deadline = begin + limit
    let kinds = lists.map(\.kind)
    let held = context.holdServices(ofKinds: kinds)
    defer { for one in held { one.cancel() } }
    context.lookAnew(atKinds: kinds)
    var (scrape, quick) = (Scrape(), [MetricSession]())
    let asked = try beginReadings(
      listing: begin + limit / 4 * 3, until: deadline, besides: &quick, of: &scrape)
    for session in quick { session.read(until: deadline) }
    for session in asked {
      let found = session.found(by: deadline)
      scrape.sources.append(found ?? session.described([]))
      if found == nil { scrape.late += 1 }
    }
    scrape.duration = Monitor<Void>.moment(after: 0) - begin
    return scrape
  }

  /// Sessions on all that is wanted, in catalogue order. Those whose readings may take long have
  /// begun them; `quick` are those still to be read. A list that is not in by a moment is late, and
  /// that of the look before is taken.
  private func beginReadings(
    listing moment: Int64, until deadline: Int64, besides quick: inout [MetricSession],
    of scrape: inout Scrape
  ) throws(SourceError) -> [MetricSession] {
    let areSlow = lists.map(\.isSlow)
    for (list, isSlow) in zip(lists, areSlow) where isSlow {
      list.begin(until: moment, inLine: line)
    }
    var asked: [MetricSession] = []
    var ids: Set<SourceIdentifier> = []
    for (list, isSlow) in zip(lists, areSlow) {
      if !isSlow { list.make(until: moment) }
      if !list.isDone(by: moment) { scrape.late += 1 }
      for session in try list.sessions() where ids.insert(session.source.id).inserted {
        asked.append(session)
        if session.isSpared() { continue }
        if session.isSlow { session.begin(until: deadline) } else { quick.append(session) }
      }
    }
    return asked
  }
}

extension SourceKind {
  fileprivate var id: SourceIdentifier {
    SourceIdentifier(checkedKind: kind, instance: nil, device: nil)
  }
}
