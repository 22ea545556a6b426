import Gathering
import Values

/// What changes something: recordings, settings, the place of a replay (serve W15).
enum ControlRoutes {
  private static let recordings = "/api/v1/recordings"

  static func all(_ served: ServedContext) -> [Route] {
    [
      Route(
        .post, recordings, "begin a recording", gives: "Started", isControl: true, manner: .patient
      ) {
        try start($0, served)
      },
      Route(
        .post, "\(recordings)/{name}/stop", "end a recording", gives: "Started", isControl: true
      ) { call in
        try RecordingRoutes.folder(of: served).stop(call.names[0])
        touchStreams(served)
        return .json(JSONBody.bytes(["name": .string(call.names[0])]))
      },
      Route(
        .delete, "\(recordings)/{name}", "remove a recording", gives: "Nothing", isControl: true
      ) { call in
        try RecordingRoutes.folder(of: served).remove(call.names[0])
        return HTTPAnswer(204, nil, .bytes([]))
      },
      Route(
        .post, "/api/v1/sources/{id}/settings", "set values of the server's own session",
        gives: "Settings", isControl: true, manner: .patient
      ) { try set($0, served) },
      Route(
        .post, "/api/v1/rescan", "look for sources again", gives: "Sources", isControl: true,
        manner: .patient
      ) { _ in
        try served.context.rescan()
        let rows = try served.sources().map { source in
          Value.dictionary(
            SourceFacts.row(source, isUpdating: served.usage.isUpdating(source.id)))
        }
        return .json(JSONBody.bytes(["sources": .list(rows)]))
      },
      Route(.post, "/api/v1/replay", "set the place and the speed of a replay", gives: "Replay") {
        try move($0, served)
      },
    ]
  }

  private static func start(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let members = try call.members(["name", "sources", "every", "duration", "graphs"])
    guard let name = members["name"]?.text else {
      throw Refusal(.invalidArgument, "name is needed, a text that ends with .gkr")
    }
    let every =
      try duration("every", of: members, within: 0.002...86_400) ?? served.settings.interval
    var wish = RecordingFolder.Wish()
    for id in try texts("sources", of: members) {
      wish.sources.append((try served.context.open(served.identifier(id)), every))
    }
    for graph in try texts("graphs", of: members) {
      wish.streams += try served.graph(named: graph).outputs(in: served.context)
    }
    if wish.sources.isEmpty && wish.streams.isEmpty {
      throw Refusal(.invalidArgument, "sources is a list of ids, or graphs of names; one is there")
    }
    wish.duration = try duration("duration", of: members, within: 0.001...1e9)
    try RecordingRoutes.folder(of: served).start(name, wish)
    touchStreams(served)
    return .json(JSONBody.bytes(["name": .string(name)]), status: 201)
  }

  private static func duration(
    _ name: String, of members: ValueDictionary, within bounds: ClosedRange<Double>
  ) throws(Refusal) -> Int64? {
    guard let value = members[name] else { return nil }
    guard let seconds = value.number else {
      throw Refusal(.invalidArgument, "\(name) is a number of seconds")
    }
    return try RouteCall.duration("\(seconds)", named: name, within: bounds)
  }

  /// A list of texts; empty without the member.
  private static func texts(_ name: String, of members: ValueDictionary) throws(Refusal) -> [String]
  {
    guard let value = members[name] else { return [] }
    guard case .list(let items) = value, items.allSatisfy({ $0.text != nil }) else {
      throw Refusal(.invalidArgument, "\(name) is a list of texts")
    }
    return items.compactMap(\.text)
  }

  private static func set(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let id = try served.identifier(call.names[0])
    let source = try served.sessions.session(of: id)
    let properties = source.properties
    let settable = properties.filter { $0.flags.contains(.config) }.map(\.key)
    let members = try call.members(settable)
    for (key, value) in members {
      guard let place = properties.firstIndex(where: { $0.key == key }) else { continue }
      try source.set(value, ofPropertyAt: place)
      for stream in served.streams.all { stream.set(value, ofPropertyAt: place, of: id) }
    }
    return .json(JSONBody.bytes(["values": .dictionary(members)]))
  }

  private static func move(_ call: RouteCall, _ served: ServedContext) throws -> HTTPAnswer {
    let context = served.context
    let members = try call.members(["rate", "position", "playing"])
    if served.replay == nil {
      throw Refusal(.notSupported, "\(context.uri) is no replay")
    }
    if let rate = try number("rate", of: members, within: 0...100) {
      try served.playback.setRate(rate, of: context)
    }
    if let value = members["playing"] {
      guard case .bool(let isPlaying) = value else {
        throw Refusal(.invalidArgument, "playing is true or false")
      }
      try served.playback.setPlaying(isPlaying, of: context)
    }
    // Last: where it stands still it is at that place then.
    if let position = try number("position", of: members, within: 0...1e9) {
      try context.seek(to: Int64(position * 1e9))
    }
    for stream in served.streams.all { stream.putReplay() }
    return .json(JSONBody.bytes(served.replay ?? [:]))
  }

  private static func number(
    _ name: String, of members: ValueDictionary, within bounds: ClosedRange<Double>
  ) throws(Refusal) -> Double? {
    guard let value = members[name] else { return nil }
    guard let number = value.number, bounds.contains(number) else {
      throw Refusal(
        .invalidArgument,
        "\(name) is a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return number
  }

  /// Has streams look at what is recorded now.
  private static func touchStreams(_ served: ServedContext) {
    for stream in served.streams.all { stream.touch() }
  }
}
