import Gathering
import Ground
import Values

/// What there is, and whether the server is ready.
enum OverviewRoutes {
  static func all(_ served: ServedContext, _ rules: AccessRules) -> [Route] {
    [
      Route(
        .get, "/ready", "whether sources can be listed", gives: "Text", manner: .patient
      ) { _ in
        _ = try served.context.sources(of: served.context.catalogue.first?.kind)
        return HTTPAnswer(200, "text/plain", .bytes(Array("ready\n".utf8)))
      }
    ]
  }

  /// The description of the interface by itself.
  static func paths(
    of routes: [Route], _ served: ServedContext, _ rules: AccessRules
  ) -> Route {
    let rows = routes.map { route in
      Value.dictionary([
        "method": .string(route.method.rawValue), "path": .string(route.template),
        "parameters": .list(route.parameters.map { .string($0.name) }),
        "summary": .string(route.summary),
      ])
    }
    return Route(.get, "/api/v1", "what there is, and where", gives: "Overview") { _ in
      var facts = overview(of: served, rules)
      facts["paths"] = .list(rows)
      return .json(JSONBody.bytes(facts))
    }
  }

  private static func overview(of served: ServedContext, _ rules: AccessRules) -> ValueDictionary {
    let context = served.context
    let uri = context.uri
    return [
      "version": .string(Version.text), "context": .string(uri), "title": .string(title(of: uri)),
      "simulated": .bool(uri.hasPrefix("sim:")),
      "device": .string(served.deviceName),
      "allow": .list(
        PrivacyCategory.allCases.filter(served.allowance.permits).map { .string($0.rawValue) }),
      "control": .bool(rules.allowsControl), "recordings": .bool(served.recordings != nil),
      "graphs": .list(served.graphs.map { .string($0.name) }),
      "clock": .dictionary(served.clock),
      "replay": served.replay.map { .dictionary($0) } ?? Value.none,
      "limits": .dictionary([
        "connections": .int(Int64(Limits.connections)), "streams": .int(Int64(Limits.streams)),
        "sources_per_stream": .int(Int64(Limits.sourcesOfStream)),
        "min_interval_ns": .int(Limits.minimumInterval),
        "rows_per_second": .int(Int64(Limits.rowsPerSecond)),
      ]),
    ]
  }

  private static func title(of uri: String) -> String {
    uri == "local:" ? "this machine" : uri
  }
}

extension ServedContext {
  /// The name of the machine, where it may be told; empty otherwise.
  fileprivate var deviceName: String {
    guard let source = try? sessions.session(of: SourceIdentifier(kind: "device_metadata")) else {
      return ""
    }
    if source.allValues.allSatisfy({ $0.realtime == 0 }) { _ = try? source.updateValues() }
    let keys = source.properties.map(\.key)
    for key in ["hostname", "model"] {
      guard let place = keys.firstIndex(of: key), source.allValues.indices.contains(place),
        let text = source.allValues[place].payload?.text, !text.isEmpty
      else { continue }
      return text
    }
    return ""
  }
}
