import Gathering
import Values

extension Tool {
  static let read = Tool(
    "read", title: "Read values once",
    """
    Reads sources or single values once. Each value has its unit and a status; a missing one has \
    the reason and the remedy. A source that gave nothing is one of the failures. Without ids \
    everything that is there is read.
    """,
    [
      ToolParameter(
        "ids", .texts,
        "sources or values: battery, battery|BAT0, battery/level, accelerometer/acceleration/x"),
      ToolParameter(
        "over", .seconds(0...5),
        "the time between the two readings that rates need; 0.25 unless given, 0 reads once"),
    ]
  ) { call in
    try call.withContext { context in
      let reading = try SingleReading(
        of: call.arguments.texts("ids"), over: call.arguments.span("over") ?? 250_000_000,
        in: context)
      var withheld = WithheldValues(call.grant.allowance)
      for selection in reading.selections {
        let source = selection.source
        let fields = selection.fields(of: source.allValues)
        withheld.note(fields, of: source.id.description, source.kind)
      }
      // Of a source that gave nothing the reason is told once, and not for each value.
      let missing = reading.selections.compactMap(\.failure)
      let whole = reading.selections.filter { $0.failure == nil }
      var answer = ToolAnswer(
        ifTooLong: "ask for fewer ids, or for single values such as battery/level")
      answer.add(withheld, reading.failures + missing)
      let records = whole.map { Value.dictionary($0.record(in: context).dictionary) }
      answer.add(records, as: "sources")
      if whole.isEmpty { answer.fail() }
      return answer
    }
  }
}
