import Gathering
import Ground
import Values

/// Sources, their readings, and the doctor's report.
enum SourceRoutes {
  static func all(_ served: ServedContext) -> [Route] {
    [
      Route(
        .get, "/api/v1/sources", "the sources, in the order of the catalogue",
        [Route.Parameter(name: "kind", meaning: "only sources of this kind")], gives: "Sources",
        manner: .patient
      ) { try list($0, served) },
      Route(
        .get, "/api/v1/sources/{id}", "a source, its properties and its last values",
        [
          Route.Parameter(
            name: "raw", meaning: "1: also each value as its backend gave it, and from where")
        ],
        gives: "Source", manner: .patient
      ) { try detail($0, served) },
      Route(
        .get, "/api/v1/sources/{id}/values", "one reading, at most as old as an interval",
        [
          Route.Parameter(
            name: "timeout", meaning: "how long to wait for it, in seconds, at most 10",
            type: "number")
        ],
        gives: "Reading", manner: .patient
      ) { try values($0, served) },
      Route(
        .get, "/api/v1/doctor", "what is missing, and how to get it", gives: "Report",
        manner: .patient
      ) { _ in
        .json(JSONBody.bytes(try served.context.report()))
      },
    ]
  }

  private static func list(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let rows = try served.sources(of: call.text("kind")).map { source in
      Value.dictionary(SourceFacts.row(source, isUpdating: served.usage.isUpdating(source.id)))
    }
    return .json(JSONBody.bytes(["sources": .list(rows)]))
  }

  private static func detail(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let id = try served.identifier(call.names[0])
    let facts = try SourceFacts(id, in: served)
    var members = facts.dictionary(isUpdating: served.usage.isUpdating(id))
    let isRaw = try call.flag("raw") ?? false
    // What a backend gave is known of this session's own readings.
    if isRaw { try refresh(facts.source, served, within: 1_000_000_000) }
    let samples = facts.source.allValues
    let isRead = samples.contains { $0.realtime != 0 }
    members["values"] =
      isRead
      ? .dictionary(
        ReadingFacts(facts.source, samples).dictionary(at: served.context.now.realtime))
      : Value.none
    if isRaw { members["raw"] = .dictionary(facts.raw(samples)) }
    return .json(JSONBody.bytes(members))
  }

  private static func values(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let limit = try call.duration("timeout", within: 0.001...10) ?? 1_000_000_000
    let source = try served.sessions.session(of: served.identifier(call.names[0]))
    try refresh(source, served, within: limit)
    let reading = ReadingFacts(source, source.allValues)
    return .json(JSONBody.bytes(reading.dictionary(at: served.context.now.realtime)))
  }

  /// Takes a reading, if the last one is older than an interval.
  private static func refresh(
    _ source: Source, _ served: ServedContext, within limit: Int64
  ) throws(SourceError) {
    let interval = served.settings.interval ?? DefaultIntervals.interval(of: source.kind)
    let samples = source.allValues
    let newest = samples.filter { $0.status == .ok }.map(\.time).max() ?? 0
    if newest == 0 || served.context.now.boot - newest >= interval {
      try read(source, within: limit)
    }
  }

  /// Takes a reading. That a source is absent is an answer, too: its values say why.
  private static func read(_ source: Source, within limit: Int64) throws(SourceError) {
    do throws(SourceError) {
      try source.updateValuesInPlace(within: limit)
    } catch {
      if case .unavailable = error { return }
      throw error
    }
  }
}
