import Gathering
import Recording
import Values

/// What a terminal is told of a sink, second by second.
struct SinkProgress {
  private var moment: Int64
  private var rows: UInt64 = 0
  private var bytes: UInt64 = 0

  /// Nothing has gone to the sink at that moment, in nanoseconds.
  init(since moment: Int64) { self.moment = moment }

  /// How far a file is; how a broker is reached, at what rates, and what it has yet to confirm; of
  /// one that is left, what it got.
  mutating func line(of recorder: Recorder, at now: Int64) -> String {
    let information = recorder.information
    let trouble = information.failure.map { "; \($0.message)" } ?? ""
    guard information.messagesSent != nil else {
      return "\(information.rowsSent) rows, \(information.bytesSent) bytes" + trouble
    }
    let unconfirmed = information.rowsSent - information.rowsAcknowledged
    var parts = [information.state.rawValue] + amounts(information, at: now)
    let kept = information.spooledRows.map { "\($0) rows in the spool" }
    parts.append(kept ?? "\(unconfirmed) rows unconfirmed")
    if information.rowsLost > 0 { parts.append("\(information.rowsLost) rows lost") }
    return parts.joined(separator: ", ") + trouble
  }

  /// What was sent since the last line, a second; in all if no more will be.
  private mutating func amounts(_ information: SinkInformation, at now: Int64) -> [String] {
    let (rows, bytes) = (information.rowsSent, information.bytesSent)
    if information.state == .closed { return ["\(rows) rows", "\(bytes) bytes"] }
    let seconds = max(Double(now - moment) / 1e9, 1e-3)
    defer { (moment, self.rows, self.bytes) = (now, rows, bytes) }
    return [
      Self.text(Double(rows - self.rows) / seconds, unit: nil) + " rows/s",
      Self.text(Double(bytes - self.bytes) / seconds, unit: "By/s"),
    ]
  }

  private static func text(_ rate: Double, unit: String?) -> String {
    Value.double(rate.rounded()).format(.people, as: Measure(unit: unit))
  }
}
