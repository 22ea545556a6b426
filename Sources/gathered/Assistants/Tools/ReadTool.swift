import Gathering
import Values

extension Tool {
  static let read = Tool(
    "read", title: "Read values once",
    """
    Reads sources or single values once. Each value has its unit and a status; a missing one has \
    the reason and the remedy. Without ids everything that is there is read.
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
      let failures = reading.failures + reading.selections.compactMap(\.failure)
      var answer = Answer(
        ifTooLong: "ask for fewer ids, or for single values such as battery/level")
      answer.add(withheld, failures)
      let records = reading.selections.map { Value.dictionary($0.record(in: context).dictionary) }
      answer.add(records, as: "sources")
      if !reading.selections.contains(where: { $0.failure == nil }) { answer.fail() }
      return answer
    }
  }
}
