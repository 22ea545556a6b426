package import DataSources
import Gathering
import Ground
package import Machine
package import Values

/// A recording as a store: entries are the lists of rows of its series, under their names (data
/// sources L36, Decisions/0014-Recordings-as-data-sources.md).
package final class RecordingStore: Sendable {
  /// The part of a recording that is shown, and its form.
  package struct View: Sendable {
    /// Full ids, names of streams or kinds; nil for all.
    package var series: [String]?
    /// Keys of properties; nil for all.
    package var properties: [String]?
    /// The length of intervals in nanoseconds; nil for the rows themselves.
    package var interval: Int64?

    package init() {}
  }

  private static let abilities: StoreAbilities = [.lists, .all, .refinement, .times]

  private let path: String
  private let view: View
  private let storage: any FileStorage
  private let worker: StoreWorker
  /// The parts found in the files; nil before the first call and after a deletion.
  private let parts = Monitor<RecordingParts?>(nil)

  /// The recording at a path; its files are opened on use.
  ///
  /// Throws `illegalArgument` for an invalid path, and for intervals that are not greater than 0.
  package init(
    _ path: String, _ view: View = View(), in storage: any FileStorage = LiveStorage(),
    among workers: StoreWorkers = StoreWorkers()
  ) throws(DataSourceError) {
    worker = StoreWorker(named: "gkit-recordings", among: workers)
    if path.isEmpty || path.utf8.contains(0) {
      throw DataSourceError(.illegalArgument, "a path is neither empty nor holds NUL")
    }
    if view.interval ?? 1 <= 0 {
      throw DataSourceError(.illegalArgument, "an interval is longer than 0")
    }
    self.path = path
    self.view = view
    self.storage = storage
  }

  /// Access to this store with rows of a given form.
  package func access<Row: Sendable>(
    _ form: @escaping @Sendable (ValueDictionary) -> Row
  ) -> DataAccess<Row> {
    DataAccess { [self] call, reply in
      do throws(DataSourceError) {
        if call.verb == .put || call.verb == .putAll { throw DataSourceError(.notImplemented) }
        let request = try call.request(to: Self.abilities)
        try check(call.verb, request)
        let verb = call.verb
        worker.submit(
          call.cancellation,
          { [self] cancellation throws(DataSourceError) -> CallPayload<Row> in
            let rows = try answer(verb, request, cancellation)
            return rows.map { .list($0.map(form)) } ?? .none
          }, reply: reply)
      } catch {
        reply(.failure(error))
      }
    }
  }

  /// Summaries of intervals are not stored and do not select rows to delete.
  private func check(_ verb: Verb, _ request: Request) throws(DataSourceError) {
    if case .all(let refinement) = request, verb == .delete, view.interval != nil,
      refinement.condition != nil
    {
      throw DataSourceError(.queryNotSupported)
    }
  }

  // MARK: On the worker

  private func answer(
    _ verb: Verb, _ request: Request, _ cancellation: Cancellation?
  ) throws(DataSourceError) -> [ValueDictionary]? {
    if verb == .delete {
      try delete(request, cancellation)
      return nil
    }
    let parts = try present()
    var query = query
    try check(query, parts)
    let refinement: Refinement
    switch request {
    case .entry(let id):
      let own = try RecordingStore.catching { () throws(SourceError) in
        try query.selection(of: parts)
      }
      guard verb == .getAll, own.contains(where: { EntryID($0.name) == id }) else {
        throw DataSourceError(.notFound, missing: [id])
      }
      query.names = [id]
      refinement = Refinement(nil, [])
    case .times(let range):
      query.range = range
      refinement = Refinement(nil, [Order("time")])
    case .all(let asked): refinement = asked
    case .page(let offset, let limit, let asked):
      (query.offset, query.limit) = (offset, limit)
      refinement = asked
    case .entries, .object: throw DataSourceError(.queryNotSupported)
    }
    return try RefinedRows(query, refinement, every: view.interval, cancellation).all(of: parts)
  }

  /// The query of the view, in the order of L15.
  private var query: RecordingQuery {
    var query = RecordingQuery()
    query.series = view.series
    query.properties = view.properties
    query.arrangement = .bySeries
    return query
  }

  private func check(
    _ query: RecordingQuery, _ parts: RecordingParts
  ) throws(DataSourceError) {
    let unknown = query.unknown(in: parts)
    guard let first = unknown.first else { return }
    let names = parts.series.map(\.name)
    throw DataSourceError(
      .notFound, Nearest.sentence(to: first, among: names, what: "series or property"),
      missing: unknown.map { EntryID($0) })
  }

  /// The files as they are now.
  private func present() throws(DataSourceError) -> RecordingParts {
    let known = parts.withLock { $0 }
    return try RecordingStore.catching { () throws(SourceError) in
      if let known {
        try known.refresh()
        return known
      }
      let new = try RecordingParts(path, in: storage)
      parts.withLock { $0 = new }
      return new
    }
  }

  private func delete(
    _ request: Request, _ cancellation: Cancellation?
  ) throws(DataSourceError) {
    let parts: RecordingParts
    do {
      parts = try present()
    } catch  where error.errno == SystemText.noEntry {
      // Deleting a missing entry succeeds (L3).
      return
    }
    let shown = RecordingQuery.named(view.series, in: parts)
    var erasure = RecordingErasure(cancellation: cancellation)
    erasure.names = view.series == nil ? nil : shown
    switch request {
    case .entry(let id):
      if view.series != nil, !shown.contains(id) { return }
      erasure.names = [id]
    case .times(let range):
      if range.isEmpty { return }
      erasure.span = ClosedRange(range)
    case .all(let refinement):
      erasure.condition = refinement.condition
      if let condition = refinement.condition {
        try RefinedRows(query, refinement, every: nil, cancellation).check(parts)
        erasure.span = condition.times?.first
        if condition.times?.isEmpty == true { return }
      }
    case .page, .entries, .object: throw DataSourceError(.queryNotSupported)
    }
    let done = erasure
    try RecordingStore.catching { () throws(SourceError) in
      try done.perform(on: parts, at: path, in: storage)
    }
    // The parts found above hold the files.
    self.parts.withLock { $0 = nil }
  }

  /// Errors of the recording as those of a data source.
  static func catching<Answer>(
    _ body: () throws(SourceError) -> Answer
  ) throws(DataSourceError) -> Answer {
    do throws(SourceError) {
      return try body()
    } catch {
      throw DataSourceError(error)
    }
  }
}

extension DataSourceError {
  /// An error of the recording.
  fileprivate init(_ error: SourceError) {
    let code: Code =
      switch error {
      case .invalidArgument, .type: .illegalArgument
      case .notFound: .notFound
      case .parse: .serialization
      case .timeout: .timeout
      case .closed: .cancelled
      default: .failed
      }
    self.init(code, error.message, errno: error.errno)
  }
}
