import Gathering
public import Values

/// What is in a recording, for JSON. Times are texts of nanoseconds since 1970, since JavaScript
/// would round them (serve W21).
public struct RecordingFacts {
  private let recording: RecordingParts

  /// The facts of a recording, as they are when they are asked for.
  public init(_ recording: RecordingParts) { self.recording = recording }

  /// `{from, to, rows, sources, lost, problems}`, of what is whole.
  public var summary: ValueDictionary {
    let span = recording.realtime
    return [
      "from": span.map { Self.moment($0.lowerBound) } ?? Value.none,
      "to": span.map { Self.moment($0.upperBound) } ?? Value.none,
      "rows": .int(Int64(recording.blocks.reduce(0) { $0 + $1.rowCount })),
      "sources": .list(recording.series.map { .string($0.name) }),
      "lost": .int(recording.events.filter { $0.what == .lost }.reduce(0) { $0 + $1.rows }),
      "problems": .int(Int64(recording.problems.count)),
    ]
  }

  /// The same with the series and what is damaged; `tail` is how many bytes at the end are an
  /// unfinished block.
  public func dictionary(named name: String, tail: Int) -> ValueDictionary {
    var facts = summary
    facts["name"] = .string(name)
    facts["size"] = .int(Int64(recording.byteCount + tail))
    facts["series"] = .list(series)
    facts["problems"] = .list(problems(tail: tail))
    return facts
  }

  private var series: [Value] {
    let blocks = Dictionary(grouping: recording.blocks, by: \.series)
    return recording.series.map { series -> Value in
      let own = blocks[series.number] ?? []
      var row: ValueDictionary = ["name": .string(series.name), "label": .string(series.label)]
      if case .source(let id) = series.origin {
        row["id"] = .string(id.description)
        row["kind"] = .string(id.kind)
      }
      row["rows"] = .int(Int64(own.reduce(0) { $0 + $1.rowCount }))
      row["bytes"] = .int(Int64(own.reduce(0) { $0 + $1.byteCount }))
      row["from"] = own.map(\.realtime.lowerBound).min().map(Self.moment) ?? Value.none
      row["to"] = own.map(\.realtime.upperBound).max().map(Self.moment) ?? Value.none
      row["properties"] = .list(
        series.properties.map { .dictionary($0.dictionary(Meaning("", from: ""))) })
      return .dictionary(row)
    }
  }

  private func problems(tail: Int) -> [Value] {
    var problems = recording.problems.map { problem -> Value in
      .dictionary([
        "offset": problem.bytes.map { .int(Int64($0.lowerBound)) } ?? Value.none,
        "length": problem.bytes.map { .int(Int64($0.count)) } ?? Value.none,
        "message": .string(problem.reason),
      ])
    }
    if tail > 0 {
      problems.append(
        .dictionary([
          "offset": Value.none, "length": .int(Int64(tail)),
          "message": .string("the last \(tail) bytes are an unfinished block"),
        ]))
    }
    return problems
  }

  private static func moment(_ nanoseconds: Int64) -> Value { .string(String(nanoseconds)) }
}
