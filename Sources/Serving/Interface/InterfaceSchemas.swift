import Values

/// The shapes of answers and bodies, as JSON Schema.
enum InterfaceSchemas {
  static func reference(to name: String) -> ValueDictionary {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  /// The type of what a schema describes; nil for nothing.
  static func mediaType(of schema: String) -> String? {
    switch schema {
    case "Nothing": nil
    case "Events": "text/event-stream"
    case "Text": "text/*"
    case "File": "application/octet-stream"
    default: "application/json"
    }
  }

  /// What a request of a route carries; nil for nothing.
  static func body(of route: Route) -> ValueDictionary? {
    guard route.method == .post else { return nil }
    let schema: ValueDictionary
    switch route.template {
    case "/api/v1/recordings":
      schema = object(
        [
          "name": text, "sources": list(of: text), "every": number, "duration": number,
          "graphs": list(of: text),
        ], required: ["name"])
    case "/api/v1/replay":
      schema = object(["rate": number, "position": number, "playing": flag], required: [])
    default: schema = ["type": .string("object")]
    }
    return ["schema": .dictionary(schema)]
  }

  static let all: ValueDictionary = [
    "Any": .dictionary(["type": .string("object")]),
    "Text": .dictionary(text), "File": .dictionary(text), "Events": .dictionary(text),
    "Error": .dictionary(
      object(["error": object(["code": text, "errno": whole, "message": text, "remedy": text])])),
    "Overview": .dictionary(
      object([
        "version": text, "context": text, "title": text, "simulated": flag, "device": text,
        "allow": list(of: text), "control": flag, "recordings": flag, "graphs": list(of: text),
        "clock": reference(to: "Clock"), "limits": ["type": .string("object")],
        "paths": list(of: ["type": .string("object")]),
      ])),
    "Clock": .dictionary(object(["time_ns": moment, "boot_ns": moment])),
    "Row": .dictionary(row),
    "Sources": .dictionary(object(["sources": list(of: reference(to: "Row"))])),
    "Source": .dictionary(
      object(
        [
          "id": text, "kind": text, "name": text, "label": text, "availability": text,
          "reason": text, "detail": text, "remedy": text, "updating": flag, "backend": text,
          "meaning": text, "origin": text, "rates": ["type": .string("object")],
          "metadata": ["type": .string("object")],
          "properties": list(of: ["type": .string("object")]),
        ], optional: ["device": text, "raw": ["type": .string("object")]])),
    "Reading": .dictionary(
      object([
        "id": text, "time": moment, "age_ns": whole, "values": ["type": .string("object")],
        "status": ["type": .string("object")],
      ])),
    "Report": .dictionary(
      object([
        "version": text, "kinds": list(of: ["type": .string("object")]),
        "mechanisms": list(of: ["type": .string("object")]),
      ])),
    "Graphs": .dictionary(object(["graphs": list(of: reference(to: "Graph"))])),
    "Graph": .dictionary(
      object(
        [
          "name": text, "inputs": list(of: ["type": .string("object")]),
          "outputs": list(of: ["type": .string("object")]),
        ], optional: ["ports": ["type": .string("object")]])),
    "Recordings": .dictionary(
      object([
        "recordings": list(
          of: object(
            [
              "name": text, "size": whole, "recording": flag, "from": momentOrNone,
              "to": momentOrNone, "rows": whole, "lost": whole, "sources": list(of: text),
            ], required: ["name", "size", "recording"]))
      ])),
    "Recording": .dictionary(
      object([
        "name": text, "size": whole, "from": momentOrNone, "to": momentOrNone, "rows": whole,
        "lost": whole, "sources": list(of: text), "series": list(of: ["type": .string("object")]),
        "problems": list(of: ["type": .string("object")]),
      ])),
    "Columns": .dictionary(
      object([
        "every_ns": ["type": .list([.string("integer"), .string("string")])], "widened": flag,
        "time": object(["t0": moment, "dt": ["type": .string("array")]]),
        "columns": list(of: ["type": .string("object")]),
      ])),
    "Started": .dictionary(object(["name": text])),
    "Settings": .dictionary(object(["values": ["type": .string("object")]])),
    "Replay": .dictionary(
      object(["playing": flag, "rate": number, "position": number, "duration": number])),
  ]

  private static let row = object(
    [
      "id": text, "kind": text, "name": text, "label": text, "availability": text, "reason": text,
      "detail": text, "remedy": text, "updating": flag,
    ], optional: ["device": text])

  private static let text: ValueDictionary = ["type": .string("string")]
  private static let flag: ValueDictionary = ["type": .string("boolean")]
  private static let number: ValueDictionary = ["type": .string("number")]
  private static let whole: ValueDictionary = [
    "type": .list([.string("integer"), .string("string")])
  ]
  /// Nanoseconds since 1970, or since the machine began.
  private static let moment: ValueDictionary = [
    "type": .string("string"), "pattern": .string("^-?[0-9]+$"),
  ]

  /// The same, or null.
  private static let momentOrNone: ValueDictionary = [
    "type": .list([.string("string"), .string("null")]), "pattern": .string("^-?[0-9]+$"),
  ]

  private static func list(of item: ValueDictionary) -> ValueDictionary {
    ["type": .string("array"), "items": .dictionary(item)]
  }

  /// An object that has some members, all of them unless others are named, and may have more.
  private static func object(
    _ members: KeyValuePairs<String, ValueDictionary>, required: [String]? = nil,
    optional: KeyValuePairs<String, ValueDictionary> = [:]
  ) -> ValueDictionary {
    let all = Array(members) + Array(optional)
    return [
      "type": .string("object"),
      "properties": .dictionary(ValueDictionary(all.map { ($0.key, Value.dictionary($0.value)) })),
      "required": .list((required ?? members.map(\.key)).map { .string($0) }),
    ]
  }
}
