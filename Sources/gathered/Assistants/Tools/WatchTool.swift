import Gathering
import Values

extension Tool {
  static let watch = Tool(
    "watch", title: "Watch values for a while",
    """
    Watches sources for some seconds and answers with a row for each reading: the first row of a \
    source has all values, the others those that changed. What happens to a source is a row with \
    an event. Without ids all available sources are watched.
    """,
    [
      ToolParameter("ids", .texts, "sources or values to watch, as for read"),
      ToolParameter("for", .seconds(0.1...60), "how long; 5 seconds unless given"),
      ToolParameter(
        "every", .seconds(0.001...60), "the time between two readings; each kind has its own"),
      ToolParameter("rows", .count(1...1000), "end after so many rows; 100 unless given"),
    ]
  ) { call in
    try call.withContext { context in
      let arguments = call.arguments
      let ids = arguments.texts("ids")
      let rows = WatchedRows(
        atMost: arguments.count("rows") ?? 100, WithheldValues(call.grant.allowance))
      let limits = Watch.Limits(
        interval: arguments.span("every"), count: nil,
        duration: arguments.span("for") ?? 5_000_000_000)
      var watch = try Watch(ids, in: context, until: limits, signals: call.signals, on: rows)
      for id in ids {
        let kind = try TypedIdentifier.parse(id, in: context).source.kind
        rows.expect(context.catalogue.first { $0.kind == kind })
      }
      do {
        try watch.run()
      } catch let failure as CommandFailure {
        rows.tell(failure)
      }
      return rows.answer
    }
  }
}

/// What a watch saw, until it is enough.
private final class WatchedRows: WatchDisplay {
  private let limit: Int
  private var news = WatchedNews(showsAll: false)
  private var rows: [Value] = []
  private var size = 0
  private var failures: [CommandFailure] = []
  private var withheld: WithheldValues

  init(atMost limit: Int, _ withheld: WithheldValues) {
    (self.limit, self.withheld) = (limit, withheld)
  }

  /// Enough of them, or of their bytes.
  var isEnding: Bool { rows.count >= limit || size > ToolAnswer.room }
  var drawsWithin: Int64? { nil }

  var answer: ToolAnswer {
    var answer = ToolAnswer(
      ifTooLong: "watch fewer values, or read them at a longer interval: every")
    if rows.count >= limit {
      answer.advise("it ended after \(limit) rows: ask for more rows, fewer ids or a longer every")
    }
    answer.add(withheld, failures)
    answer.add(rows, as: "rows")
    if rows.isEmpty, !failures.isEmpty { answer.fail() }
    return answer
  }

  /// Notes that a source of a kind is watched.
  func expect(_ kind: (any SourceKind)?) {
    if let kind { withheld.note(kind.kind, kind.category) }
  }

  func show(_ readings: Int, of update: SourceUpdate, from source: WatchedSource, now: Int64) {
    let kind = source.selection.source.kind
    for record in news.records(readings, of: update, from: source, now: now) where !isEnding {
      withheld.note(record.fields, of: record.id, kind)
      put(record.dictionary)
    }
  }

  func show(_ event: SourceEvent, now: Int64) {
    if !isEnding { put(EventRecord(event, time: now).dictionary) }
  }

  /// A failure without words says that the others were told.
  func tell(_ failure: CommandFailure) {
    if !failure.message.isEmpty { failures.append(failure) }
  }

  private func put(_ row: ValueDictionary) {
    rows.append(.dictionary(row))
    size += ToolAnswer.size(of: .dictionary(row))
  }

  func begin() {}
  func end() {}
  func resize() {}
  func obey(_ key: Keyboard.Key) -> Bool { false }
  func remains(of sources: [WatchedSource]) -> String { "" }
  func draw(_ sources: [WatchedSource], isForced: Bool) {}
}
