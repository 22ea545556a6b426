package import Ground
import Streams

/// What a data source does for those who look for mistakes.
package struct DebugOptions: Sendable {
  /// How long each call waits before it reaches the inner source.
  package var delay = Duration.zero
  /// Which share of the calls fails without reaching it, from 0 to 1.
  package var failureShare = 0.0
  /// Where the choice of the failing calls begins.
  package var seed: UInt64 = 0
  /// Whether values are written to the log.
  package var logsValues = false

  package init() {}
}

extension DataAccess {
  /// The same entries, with one line in a log for each call (data sources L45).
  package func logged(
    _ options: DebugOptions, clock: any Clock, log: @escaping @Sendable (String) -> Void
  ) -> DataAccess {
    let random = Lock(RandomNumbers(seed: options.seed))
    return DataAccess { [perform] call, reply in
      let begin = clock.now
      let report: Reply = { result in
        log(call.line(result, clock.now - begin, logsValues: options.logsValues))
        reply(result)
      }
      let fails = random.withLock { $0.share() } < options.failureShare
      Pause.wait(options.delay, on: clock, call.cancellation) { isUp in
        if !isUp { return report(.failure(DataSourceError(.cancelled))) }
        if fails { return report(.failure(DataSourceError(.failed, "a failure on purpose"))) }
        perform(call, report)
      }
    }
  }
}

extension Call {
  fileprivate func line(_ result: CallResult<Value>, _ time: Duration, logsValues: Bool) -> String {
    let outcome: String
    switch result {
    case .success(.none): outcome = "done"
    case .success(.object(let value)): outcome = logsValues ? "\(value)" : "object"
    case .success(.list(let values)): outcome = logsValues ? "\(values)" : "\(values.count) values"
    case .failure(let error): outcome = error.code.word
    }
    var brought = ""
    if logsValues, case .object(let value) = payload { brought = " \(value)" }
    if logsValues, case .list(let values) = payload { brought = " \(values)" }
    let text = query.text(logsValues: logsValues)
    return "\(verb.word) \(text)\(brought): \(outcome), \(time.wholeNanoseconds / 1000) us"
  }
}

extension Query {
  /// The query for people. What an `object` or a condition holds are values.
  fileprivate func text(logsValues: Bool) -> String {
    switch self {
    case .void: "void"
    case .id(let id): "id \(id.key)"
    case .key(let key): "key \(key)"
    case .ids(let ids): "ids \(ids.map(\.key))"
    case .object(let value): logsValues ? "object \(value)" : "object"
    case .timeRange(let range): "time \(range)"
    case .all(let condition, _):
      condition.map { logsValues ? "all where \($0)" : "all where" } ?? "all"
    case .page(let offset, let limit, let condition, _):
      "page \(offset) \(limit)"
        + (condition.map { logsValues ? " where \($0)" : " where" } ?? "")
    }
  }
}
