import Gathering
import Glibc
import Ground
import Values

/// One reading of each source named, or of all that there are.
struct SingleReading {
  /// What was read, in the order it was named.
  let selections: [Selection]
  /// Why what some ids name could not be opened.
  let failures: [CommandFailure]

  /// Reads the ids, and sources with rates once more after a span of nanoseconds. Without ids all
  /// there is is read: a source that fails is left to the doctor.
  ///
  /// Throws a failure for an error in the command line.
  init(of ids: [String], over span: Int64, in context: Context) throws {
    if ids.isEmpty {
      let all = try Overview.selections(in: context)
      try Self.read(all, over: span, isForgiving: true, in: context)
      failures = []
      selections = all.filter { $0.fields(of: $0.source.allValues).contains(where: \.hasPayload) }
      return
    }
    var failures: [CommandFailure] = []
    var selections: [Selection] = []
    for id in ids {
      do {
        selections.append(try Selection(id, in: context))
      } catch {
        failures.append(try Self.bearable(error))
      }
    }
    try Self.read(selections, over: span, isForgiving: false, in: context)
    (self.selections, self.failures) = (selections, failures)
  }

  /// Reads all sources, and those with rates once more after a while.
  private static func read(
    _ selections: [Selection], over span: Int64, isForgiving: Bool, in context: Context
  ) throws {
    for selection in selections {
      do throws(SourceError) {
        try selection.source.updateValues()
      } catch {
        if !isForgiving { throw error }
      }
    }
    let rates = selections.filter { selection in
      let samples = selection.source.allValues
      return selection.source.kind.spans.contains { rule in
        samples.indices.contains(rule.property) && samples[rule.property].status == .noData
      }
    }
    guard !rates.isEmpty, span > 0 else { return }
    if let position = context.position, context.rate == nil {
      try context.seek(to: position + span)
    } else {
      usleep(UInt32(clamping: span / 1000))
    }
    for selection in rates { try selection.source.updateValues() }
  }

  /// The failure of one source; an error in the command line is thrown.
  private static func bearable(_ error: any Error) throws -> CommandFailure {
    switch error {
    case let failure as CommandFailure where failure.exitCode == 1: return failure
    case let error as SourceError: return CommandFailure(error)
    default: throw error
    }
  }
}

extension Selection {
  /// Why a reading gave nothing at all, if so.
  var failure: CommandFailure? {
    let fields = fields(of: source.allValues)
    if fields.contains(where: \.hasPayload) { return nil }
    let availability = source.availability
    if availability.group != .available { return CommandFailure(availability, of: text) }
    guard let field = fields.first else { return CommandFailure("\(text): there are no values") }
    return CommandFailure(
      "\(text): \(field.sample.status.word): \(field.sample.absence?.reason ?? "")",
      remedy: field.sample.absence?.remedy ?? "")
  }

  /// The last reading.
  func record(in context: Context) -> Record {
    let samples = source.allValues
    let newest = samples.map(\.realtime).max() ?? 0
    return Record(self, samples, time: newest > 0 ? newest : context.now.realtime)
  }
}
