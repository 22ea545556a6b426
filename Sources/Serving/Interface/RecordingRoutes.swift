import Gathering
import Machine
import Recording
import Values

/// Recordings: what there is, what is in them, and the files.
enum RecordingRoutes {
  private static let base = "/api/v1/recordings"

  static func all(_ served: ServedContext) -> [Route] {
    [
      Route(.get, base, "the recordings", gives: "Recordings") { _ in
        let rows = (served.recordings?.names ?? []).map { name in
          Value.dictionary(summary(of: name, served))
        }
        return .json(JSONBody.bytes(["recordings": .list(rows)]))
      },
      Route(.get, "\(base)/{name}", "the series of a recording", gives: "Recording") { call in
        let folder = try folder(of: served)
        let name = call.names[0]
        let recording = try folder.open(name)
        let isWriting = folder.isWriting(name)
        // All damage is told, as `gathered info` does; the end of what is written is not whole yet.
        if !isWriting { try recording.verify() }
        let tail = isWriting ? 0 : try recording.tail()
        return .json(JSONBody.bytes(RecordingFacts(recording).dictionary(named: name, tail: tail)))
      },
      Route(
        .get, "\(base)/{name}/query", "numbers over time, as columns", RecordingColumns.parameters,
        gives: "Columns"
      ) { call in
        let recording = try folder(of: served).open(call.names[0])
        return .json(try RecordingColumns(call, recording, served.allowance).json())
      },
      Route(.get, "\(base)/{name}/file", "the file itself", gives: "File") { try file($0, served) },
      Route(
        .get, "\(base)/{name}/file.csv", "the rows of one source as CSV",
        [Route.Parameter(name: "source", meaning: "its id; needed where there are several")],
        gives: "Text"
      ) { try text($0, served, .csv(.wide), "text/csv; charset=utf-8") },
      Route(
        .get, "\(base)/{name}/file.jsonl", "all rows as JSON, one on each line",
        [Route.Parameter(name: "source", meaning: "only those of this id")], gives: "Text"
      ) { try text($0, served, .jsonLines, "application/jsonl; charset=utf-8") },
    ]
  }

  static func folder(of served: ServedContext) throws(Refusal) -> RecordingFolder {
    if let folder = served.recordings { return folder }
    throw Refusal(
      .notFound, "no recordings are served", remedy: "start the server with --recordings")
  }

  private static func summary(of name: String, _ served: ServedContext) -> ValueDictionary {
    var row: ValueDictionary = ["name": .string(name)]
    row["size"] = .int(Int64(served.recordings?.size(of: name) ?? 0))
    if let recording = try? served.recordings?.open(name) {
      for (key, value) in RecordingFacts(recording).summary { row[key] = value }
    }
    let progress = served.recordings?.progress(of: name)
    // What was lost meanwhile is in the file when room for it has been found.
    if let progress { row["lost"] = .int(Int64(clamping: progress.lost)) }
    row["recording"] = .bool(progress != nil)
    return row
  }

  private static func file(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let name = call.names[0]
    let folder = try folder(of: served)
    try checkAllowed(try folder.open(name), served.allowance)
    return try FileAnswer(folder.path(of: name), named: name).answer(
      range: call.request.value(of: "range"))
  }

  private static func text(
    _ call: RouteCall, _ served: ServedContext, _ format: TextFormat, _ type: String
  ) throws -> HTTPAnswer {
    let recording = try folder(of: served).open(call.names[0])
    try checkAllowed(recording, served.allowance)
    let tables =
      try call.text("source").map { [try RecordedTable($0, of: recording)] }
      ?? RecordedTable.all(of: recording)
    let export = TextPuller(try TextExport(tables, as: format))
    return HTTPAnswer(200, type, .parts(length: nil) { try export.next() })
  }

  /// A file with personal values is given only where all of its categories may be shown (W12).
  private static func checkAllowed(
    _ recording: RecordingParts, _ allowance: Allowance
  ) throws(Refusal) {
    let categories = recording.series.flatMap(\.properties).compactMap(\.category)
    guard let first = categories.first(where: { !allowance.permits($0) }) else { return }
    throw Refusal(
      .permission, "the recording has personal values",
      remedy: "start the server with --allow \(first.rawValue)")
  }
}
