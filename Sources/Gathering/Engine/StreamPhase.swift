import Ground

/// How far a producer is with its stream.
///
/// No phase in which a stream is wanted stands for ever: each has what moves it.
enum StreamPhase: Sendable {
  /// No session wants one, or the instance has none: it is polled. Whatever makes one wanted (a
  /// start, an instance that is back, a refusal that is forgotten) opens one at once.
  case none
  /// Being opened for a requested interval, until the call that opens it returns: no value comes
  /// before, since the same thread reads it.
  case opening(asked: Int64)
  /// Delivering samples until it ends or is not wanted any more; the stream's number, and the
  /// requested interval it was opened for.
  case running(any SampleStream, number: Int, asked: Int64)
  /// At the end of a captured file: no more samples come.
  case finished
  /// Broken, with this many failed attempts to reopen it; a timer tries it again, and after the
  /// third failure it is refused.
  case broken(asked: Int64, attempts: Int)
  /// Could not be opened, at a boot time: the instance is polled. A timer tries it again if that
  /// may help, a caller that asks does, and so does the return of an instance that was away.
  case refused(SourceError, at: Int64)

  /// Whether opening a stream failed.
  var isRefused: Bool { if case .refused = self { true } else { false } }

  /// The stream that is to be cancelled when the phase ends.
  var stream: (any SampleStream)? {
    if case .running(let stream, _, _) = self { stream } else { nil }
  }
}
