import Gathering
import Values

extension Tool {
  static let explain = Tool(
    "explain", title: "Explain a source or a value",
    """
    Explains a kind, a source or one value: what it means, its unit, range and origin; whether it \
    can be read on this machine, and if not, why, and what to do about it. For a value also its \
    present state and the place it was read from.
    """,
    [
      ToolParameter(
        "id", .text, "battery, battery|BAT0, battery/level or battery|BAT0/level",
        isRequired: true)
    ]
  ) { call in
    try call.withContext { context in
      let selection = try Selection(call.arguments.text("id") ?? "", in: context)
      let source = selection.source
      var kind = source.kind.dictionary
      let properties = kind.rows("properties").filter { row in
        selection.path.map { $0.first == row.text("key") } ?? true
      }
      kind["properties"] = nil
      var withheld = WithheldValues(call.grant.allowance)
      withheld.note(source.kind.kind, source.kind.category)
      for property in selection.properties {
        withheld.note("\(source.kind.kind)/\(property.key)", property.category)
      }
      var answer = ToolAnswer(
        [
          "id": .string(source.id.description), "kind": .dictionary(kind),
          "source": .dictionary(source.availability.facts),
        ], ifTooLong: "explain one property, such as battery/level")
      if selection.path != nil, source.availability.group == .available {
        answer["value"] = .dictionary(selection.explanation)
      }
      answer.add(withheld)
      answer.add(
        try context.sources(of: source.kind.kind).map { .string($0.id.description) },
        as: "instances", within: 0.25)
      answer.add(properties.map(Value.dictionary), as: "properties")
      return answer
    }
  }
}

extension Selection {
  /// The properties that are meant: one, or all.
  fileprivate var properties: [Property] {
    source.properties.filter { property in path.map { $0.first == property.key } ?? true }
  }

  /// The value after a reading of its own, with the place it comes from.
  fileprivate var explanation: ValueDictionary {
    let samples = (try? source.updateValues()) ?? source.allValues
    var facts = fields(of: samples).first?.dictionary ?? [:]
    guard let key = path?.first, let index = source.properties.firstIndex(where: { $0.key == key })
    else { return facts }
    for (name, value) in source.explanation(ofPropertyAt: index) where facts[name] == nil {
      facts[name] = value
    }
    return facts
  }
}

extension Availability {
  /// `{availability, reason, detail, errno, remedy, backend}`, as the doctor has them.
  fileprivate var facts: ValueDictionary {
    [
      "availability": .string(group.word), "reason": .string(state.rawValue),
      "detail": .string(detail), "errno": .int(Int64(errno)), "remedy": .string(remedy),
      "backend": .string(backend),
    ]
  }
}
