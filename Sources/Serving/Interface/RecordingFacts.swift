import Gathering
import Recording
import Values

/// A recording in JSON, as `gathered info` tells it.
struct RecordingFacts {
  private let recording: RecordingParts

  init(_ recording: RecordingParts) { self.recording = recording }

  /// `{from, to, rows, sources, lost}`, of what is whole.
  var summary: ValueDictionary {
    let span = recording.realtime
    return [
      "from": span.map { JSONBody.moment($0.lowerBound) } ?? Value.none,
      "to": span.map { JSONBody.moment($0.upperBound) } ?? Value.none,
      "rows": .int(Int64(recording.blocks.reduce(0) { $0 + $1.rowCount })),
      "sources": .list(recording.series.map { .string($0.name) }),
      "problems": .int(Int64(recording.problems.count)),
    ]
  }

  /// The series and what is damaged; `tail` is how many bytes at the end are an unfinished block.
  func dictionary(named name: String, tail: Int) -> ValueDictionary {
    let blocks = Dictionary(grouping: recording.blocks, by: \.series)
    let series = recording.series.map { series -> Value in
      let own = blocks[series.number] ?? []
      var row: ValueDictionary = ["name": .string(series.name), "label": .string(series.label)]
      if case .source(let id) = series.origin {
        row["id"] = .string(id.description)
        row["kind"] = .string(id.kind)
      }
      row["rows"] = .int(Int64(own.reduce(0) { $0 + $1.rowCount }))
      row["bytes"] = .int(Int64(own.reduce(0) { $0 + $1.byteCount }))
      row["from"] = own.map(\.realtime.lowerBound).min().map(JSONBody.moment) ?? Value.none
      row["to"] = own.map(\.realtime.upperBound).max().map(JSONBody.moment) ?? Value.none
      row["properties"] = .list(
        series.properties.map { .dictionary($0.dictionary(Meaning("", from: ""))) })
      return .dictionary(row)
    }
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
    return ["name": .string(name), "series": .list(series), "problems": .list(problems)]
  }
}
