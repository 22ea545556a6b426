import Gathering

/// Rows that a recording does not have, and where they would be in its file.
struct RecordingLoss: Sendable {
  /// The bytes that are damaged, or of the event that tells of it, and what is wrong with them.
  let problem: RecordingProblem
  /// The number of the series; nil where that is not known.
  var series: UInt32?
  /// What became of them, in one clause.
  let reason: String

  /// The bytes.
  var bytes: Range<Int> { problem.bytes }

  /// What was lost with a part that cannot be read.
  init(_ problem: RecordingProblem, series: UInt32? = nil) {
    self.problem = problem
    self.series = series
    reason = "bytes \(problem.bytes): \(problem.reason)"
  }

  /// What the recorder, or a repair, told.
  init(_ event: RecordedEvent, at bytes: Range<Int>) {
    series = event.series
    let count = event.rows > 0 ? "\(event.rows) rows" : "rows"
    reason = event.message.isEmpty ? "\(count) were lost when it was recorded" : event.message
    problem = RecordingProblem(bytes, reason)
  }
}
