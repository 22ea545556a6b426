import Gathering

/// Rows that a recording does not have, and where they would be in its file.
struct RecordingLoss: Sendable {
  /// The damaged bytes, or those of the event that reports the loss, and the problem.
  let problem: RecordingProblem
  /// The number of the series; nil if unknown.
  var series: UInt32?
  /// Why they were lost, in one clause.
  let reason: String

  /// The bytes.
  var bytes: Range<Int> { problem.bytes }

  /// The loss of a part that cannot be read.
  init(_ problem: RecordingProblem, series: UInt32? = nil) {
    self.problem = problem
    self.series = series
    reason = "bytes \(problem.bytes): \(problem.reason)"
  }

  /// The loss reported by an event of the recorder or of a repair.
  init(_ event: RecordedEvent, at bytes: Range<Int>) {
    series = event.series
    let count = event.rows > 0 ? "\(event.rows) rows" : "rows"
    reason = event.message.isEmpty ? "\(count) were lost when it was recorded" : event.message
    problem = RecordingProblem(bytes, reason)
  }
}
