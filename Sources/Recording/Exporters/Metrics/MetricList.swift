import Gathering
import Ground
import Values

/// The sources that a scraper reads of one kind, or the one it was told, as of the last look.
final class MetricList: Sendable {
  private typealias Listed = (id: SourceIdentifier, session: MetricSession)

  private let wanted: SourceIdentifier
  private let context: Context
  private let looking = RepeatedWork(named: "gkit-scrape")
  private let known = Monitor<Result<[Listed], SourceError>>(.success([]))

  init(_ wanted: SourceIdentifier, in context: Context) {
    self.wanted = wanted
    self.context = context
  }

  /// The word of its kind.
  var kind: String { wanted.kind }

  /// Whether a look may take long.
  var isSlow: Bool { looking.isSlow }

  /// Begins a look, unless the last one has not ended: the first in a line of all kinds, which a
  /// context looks at one by one anyway, others on a thread of its own.
  func begin(until deadline: Int64, inLine line: SerialWorker) {
    looking.begin(until: deadline, inLine: line) { [self] in look() }
  }

  /// Looks on the calling thread.
  func make(until deadline: Int64) {
    looking.perform(until: deadline) { look() }
  }

  /// Whether a look has ended by a moment, for which it waits where one is under way.
  func isDone(by deadline: Int64) -> Bool { looking.isDone(by: deadline) }

  /// Those found last. Throws what the look threw.
  func sessions() throws(SourceError) -> [MetricSession] {
    try known.withLock { $0 }.get().map(\.session)
  }

  /// Sessions go on as long as their instances are listed.
  private func look() {
    // What is let go of, this holds until no lock is.
    let former = known.withLock { $0 }
    let found = Result { () throws(SourceError) in try look(since: (try? former.get()) ?? []) }
    known.withLock { $0 = found }
  }

  private func look(since former: [Listed]) throws(SourceError) -> [Listed] {
    let instances = wanted.instance == nil ? try context.sources(of: wanted.kind).map(\.id) : []
    var found: [Listed] = []
    for id in instances.isEmpty ? [wanted] : instances {
      if let listed = former.first(where: { $0.id == id }) {
        found.append(listed)
      } else {
        found.append((id, try MetricSession(of: id, in: context)))
      }
    }
    return found
  }
}
