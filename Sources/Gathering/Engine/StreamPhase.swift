import Ground

/// How far a producer is with its stream.
enum StreamPhase: Sendable {
  /// No session wants one, or the instance has none.
  case none
  /// Being opened for a requested interval.
  case opening(asked: Int64)
  /// Delivering samples; the stream's number, and the requested interval it was opened for.
  case running(any SampleStream, number: Int, asked: Int64)
  /// At the end of a captured file: no more samples come.
  case finished
  /// Broken, with this many failed attempts to reopen it; it will be tried again.
  case broken(asked: Int64, attempts: Int)
  /// Could not be opened, at a boot time: the instance is polled.
  case refused(SourceError, at: Int64)

  /// Whether opening a stream failed.
  var isRefused: Bool { if case .refused = self { true } else { false } }

  /// The stream that is to be cancelled when the phase ends.
  var stream: (any SampleStream)? {
    if case .running(let stream, _, _) = self { stream } else { nil }
  }
}
