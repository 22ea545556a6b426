import Gathering
import SourceKinds
import Values

/// Tools that start nothing: what is there, what there can be, and what is missing.
extension Tool {
  static let list = Tool(
    "list", title: "List sources",
    """
    Lists the sources of the machine with their ids, labels and availability; for one that cannot \
    be used, why, and what to do about it. Starts nothing.
    """,
    [ToolParameter("kind", .text, "only the sources of this kind, such as battery")]
  ) { call in
    try call.withContext { context in
      let asked = call.arguments.text("kind")
      let sources = try context.sources(of: asked)
      var withheld = WithheldValues(call.grant.allowance)
      let kinds = Set(sources.map(\.id.kind))
      for kind in context.catalogue where kinds.contains(kind.kind) { withheld.note(kind) }
      var answer = ToolAnswer(ifTooLong: "ask for one kind: list with kind")
      var reasons: [CommandFailure] = []
      if let asked, sources.isEmpty {
        // An empty list is an answer; why it is empty is worth a word.
        reasons.append(CommandFailure(try context.open(asked).availability, of: asked))
      }
      answer.add(withheld, reasons)
      answer.add(sources.map { .dictionary($0.dictionary()) }, as: "sources")
      return answer
    }
  }

  static let doctor = Tool(
    "doctor", title: "Report what is missing",
    """
    Reports every kind of source with its instances: the state, the backend, the reason and the \
    remedy; then every mechanism and library with its version, or why it is missing. Starts \
    nothing and shows nothing personal.
    """,
    [ToolParameter("kind", .text, "only this kind, and no mechanisms")]
  ) { call in
    try call.withContext { context in
      let report = try context.doctorReport()
      let kind = try call.arguments.text("kind").map { try SourceCatalogue.kind(named: $0) }
      let rows = report.rows("kinds").filter { kind == nil || $0.text("kind") == kind?.kind }
      var withheld = WithheldValues(call.grant.allowance)
      for kind in context.catalogue {
        if rows.contains(where: { $0.text("kind") == kind.kind }) { withheld.note(kind) }
      }
      var answer = ToolAnswer(
        ["version": report["version"] ?? .none], ifTooLong: "ask for one kind: doctor with kind")
      answer.add(withheld)
      if kind == nil {
        answer.add(report.rows("mechanisms").map(Value.dictionary), as: "mechanisms", within: 0.5)
      }
      answer.add(rows.map(Value.dictionary), as: "kinds")
      return answer
    }
  }

  static let kinds = Tool(
    "kinds", title: "Describe kinds of sources",
    """
    Describes what there can be, whether this machine has it or not. Without a kind: the kinds and \
    the keys of their properties. With one: what each property means, its unit, range, mode and \
    privacy, and where its value comes from.
    """,
    [ToolParameter("kind", .text, "describe this kind in full, such as battery")]
  ) { call in
    let kind = call.arguments.text("kind")
    let rows = try SourceCatalogue.description(of: kind)
    var answer = ToolAnswer(ifTooLong: "ask for one kind, or explain one property")
    answer.add(WithheldValues(call.grant.allowance))
    answer.add(kind == nil ? rows.map(overview) : rows, as: "kinds")
    return answer
  }

  /// `{kind, name, meaning, category?, properties: [key]}`.
  private static func overview(_ kind: Value) -> Value {
    guard case .dictionary(let row) = kind else { return kind }
    var short = ValueDictionary()
    for name in ["kind", "name", "meaning", "category"] { short[name] = row[name] }
    short["properties"] = .list(row.rows("properties").map { .string($0.text("key")) })
    return .dictionary(short)
  }
}
