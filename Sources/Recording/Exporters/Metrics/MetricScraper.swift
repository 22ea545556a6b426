public import Gathering
import Ground
public import Values

/// Reads sources for pages of metrics, side by side, within a limit (serve W26).
///
/// Sources that answer at once are read on the calling thread; each other one on a thread of its
/// own, for which a scrape does not wait beyond the limit. It belongs to one thread at a time.
public struct MetricScraper: Sendable {
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

  private let context: Context
  private let wanted: [SourceIdentifier]
  private var sessions: [SourceIdentifier: MetricSession] = [:]

  /// A scraper of sources, all instances where only a kind is named; of everything if nothing is.
  public init(_ context: Context, _ wanted: [SourceIdentifier] = []) {
    self.context = context
    self.wanted = wanted
  }

  /// Reads every source once. Throws `closed`, `forked`, and `notFound` for what there cannot be.
  public mutating func scrape(within limit: Int64 = Self.limit) throws(SourceError) -> Scrape {
    let begin = Monitor<Void>.moment(after: 0)
    let deadline = begin + limit
    let asked = try sessionsOfAll()
    // Those that may take long begin first.
    let slow = asked.filter { $0.isSlow }
    for session in slow { session.begin() }
    for session in asked where !session.isSlow { session.read(until: deadline) }
    var scrape = Scrape()
    for session in asked {
      let isIn = session.isIn(by: deadline)
      scrape.sources.append(MetricSource(session.source, isRead: isIn))
      if !isIn { scrape.late += 1 }
    }
    scrape.duration = Monitor<Void>.moment(after: 0) - begin
    return scrape
  }

  /// A session for each source that is wanted, in catalogue order; those there are go on.
  private mutating func sessionsOfAll() throws(SourceError) -> [MetricSession] {
    var ids: [SourceIdentifier] = []
    let all = wanted.isEmpty ? context.catalogue.map(\.id) : wanted
    for id in all {
      let instances = id.instance == nil ? try context.sources(of: id.kind).map(\.id) : []
      ids += instances.isEmpty ? [id] : instances
    }
    var open: [SourceIdentifier: MetricSession] = [:]
    var found: [MetricSession] = []
    for id in ids where open[id] == nil {
      let session: MetricSession
      if let known = sessions[id] {
        session = known
      } else {
        session = try MetricSession(of: id, in: context)
      }
      open[id] = session
      found.append(session)
    }
    sessions = open
    return found
  }
}

extension SourceKind {
  fileprivate var id: SourceIdentifier {
    SourceIdentifier(checkedKind: kind, instance: nil, device: nil)
  }
}

/// The session of a scraper on one source.
private final class MetricSession: Sendable {
  /// What takes longer gets a thread of its own the next time, in nanoseconds.
  private static let quick: Int64 = 2_000_000

  private enum Progress {
    case reading, whole, late
  }

  private struct State {
    /// A source that was never read may take long.
    var isSlow = true
    var progress = Progress.late
  }

  let source: Source
  private let worker = SerialWorker(named: "scrape")
  private let state = Monitor(State())

  init(of id: SourceIdentifier, in context: Context) throws(SourceError) {
    source = try context.open(id)
  }

  var isSlow: Bool { state.withLock { $0.isSlow } }

  /// Begins a reading on a thread of its own, unless the last one has not ended.
  func begin() {
    let isFree = state.withLock { state in
      defer { state.progress = .reading }
      return state.progress != .reading
    }
    if isFree { worker.submit { [self] in readNow(within: MetricScraper.limit) } }
  }

  /// Reads on the calling thread.
  func read(until deadline: Int64) {
    readNow(within: max(0, deadline - Monitor<State>.moment(after: 0)))
  }

  /// Whether the reading that was begun is in by a moment.
  func isIn(by deadline: Int64) -> Bool {
    state.wait(until: deadline) { $0.progress == .reading ? nil : $0.progress == .whole } ?? false
  }

  private func readNow(within limit: Int64) {
    let begin = Monitor<State>.moment(after: 0)
    // The values of what cannot be read say why.
    if limit > 0 { try? source.updateValuesInPlace(within: limit) }
    let spent = Monitor<State>.moment(after: 0) - begin
    state.withLock { state in
      state.isSlow = spent > Self.quick
      state.progress = spent < limit ? .whole : .late
    }
    state.signalAll()
  }
}
