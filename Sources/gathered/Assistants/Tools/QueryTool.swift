import Gathering
import Machine
import Recording
import SourceKinds
import Values

extension Tool {
  static let query = Tool(
    "query", title: "Rows of a recording",
    """
    Answers with rows of a recording in order of time, or with summaries of intervals. Without a \
    recording it lists those that are offered, with what is in them: no other file can be read.
    """,
    [
      ToolParameter("recording", .text, "its name as it is listed, such as walk.gkr"),
      ToolParameter("ids", .texts, "sources or values of the recording; all unless given"),
      ToolParameter("from", .moment, "begin there: seconds from the first row, or a time"),
      ToolParameter("to", .moment, "end before this time"),
      ToolParameter(
        "every", .seconds(0.001...31_536_000),
        "summarise intervals of this length by minimum, maximum and mean"),
      ToolParameter("offset", .count(0...1_000_000_000_000), "pass over so many rows"),
      ToolParameter("limit", .count(1...1000), "at most so many rows; 100 unless given"),
    ]
  ) { call in
    let offered = call.grant.recordings
    guard let one = try offered.named(call.arguments.text("recording")) else {
      return overview(offered.all, call.grant)
    }
    let recording = try RecordingParts.open(one.path)
    var mask = RecordedMask(call.grant.allowance)
    let rows = try rows(of: recording, call.arguments, &mask)
    let limit = call.arguments.count("limit") ?? 100
    var answer = ToolAnswer(
      ["recording": .string(one.name)],
      ifTooLong: "ask for fewer ids, or go on with offset at next_offset")
    answer.add(
      mask.withheld, recording.problems.map { CommandFailure("\(one.name): \($0.reason)") })
    let taken = answer.add(Array(rows.prefix(limit)), as: "rows")
    if taken < rows.count {
      answer["next_offset"] = .int(Int64((call.arguments.count("offset") ?? 0) + taken))
    }
    return answer
  }

  /// The rows asked for, and one more if there is one.
  private static func rows(
    of recording: RecordingParts, _ arguments: ToolArguments, _ mask: inout RecordedMask
  ) throws -> [Value] {
    let selection = try RecordedSelection(
      arguments.texts("ids"), from: arguments["from"].flatMap(RecordedMoment.init),
      to: arguments["to"].flatMap(RecordedMoment.init), in: recording)
    var records = try RecordedRecords(
      selection, from: arguments.count("offset") ?? 0,
      limit: (arguments.count("limit") ?? 100) + 1, every: arguments.span("every"), of: recording)
    var rows: [Value] = []
    while let record = try records.next() { rows.append(mask.shown(record)) }
    return rows
  }

  /// The recordings, and what is in the first of them.
  private static func overview(
    _ offered: [OfferedRecordings.Offered], _ grant: AssistantGrant
  ) -> ToolAnswer {
    let mask = RecordedMask(grant.allowance)
    let rows = offered.prefix(100).map { one -> Value in
      var row: ValueDictionary = ["recording": .string(one.name)]
      do throws(CommandFailure) {
        let recording = try RecordingParts.open(one.path)
        if let span = recording.realtime {
          row["from"] = .string(Value.time(span.lowerBound).formatted())
          row["to"] = .string(Value.time(span.upperBound).formatted())
        }
        row["ids"] = .list(recording.series.prefix(50).map { mask.shown(.string($0.name)) })
      } catch {
        row["error"] = .string("it cannot be read")
      }
      return .dictionary(row)
    }
    var answer = ToolAnswer(ifTooLong: "ask for one by its name: query with recording")
    answer.add(WithheldValues(grant.allowance))
    answer.add(rows, as: "recordings", of: offered.count)
    return answer
  }
}

/// Hides what was recorded with more allowed than the session is.
private struct RecordedMask {
  private(set) var withheld: WithheldValues
  private let allowance: Allowance
  /// For digests of hardware addresses; nil if they may be shown.
  private let identity: MachineIdentity?

  init(_ allowance: Allowance) {
    self.allowance = allowance
    withheld = WithheldValues(allowance)
    identity = allowance.permits(.mac) ? nil : MachineIdentity.of(.live())
  }

  mutating func shown(_ record: Record) -> Value {
    let word = (try? SourceIdentifier(parsing: record.id))?.kind
    let kind = SourceCatalogue.all.first { $0.kind == word }
    let fields = record.fields.map { field in
      let category = field.property.category ?? kind?.category
      guard let category, !allowance.permits(category) else { return field }
      withheld.note("\(word ?? record.id)/\(field.key)", category)
      let absence = Absence("withheld", remedy: category.remedy)
      return Field(
        key: field.key, property: field.property,
        sample: Sample(.none, status: .permission, absence: absence))
    }
    return shown(.dictionary(Record(id: record.id, time: record.time, fields: fields).dictionary))
  }

  /// The same without addresses.
  func shown(_ value: Value) -> Value {
    guard let identity else { return value }
    return switch value {
    case .string(let text): .string(HardwareAddress.withheld(in: text, by: identity))
    case .list(let items): .list(items.map(shown))
    case .dictionary(let members):
      .dictionary(ValueDictionary(members.map { ($0.key, shown($0.value)) }))
    default: value
    }
  }
}
