import ArgumentParser
import CommandOptions
import Recording
import SourceKinds
import Values

/// A moment of a recording on the command line: seconds from its beginning, or a date and time.
enum RecordedMoment: ExpressibleByArgument {
  /// Nanoseconds from the first row on.
  case offset(Int64)
  /// Nanoseconds on CLOCK_REALTIME.
  case time(Int64)

  /// `90`, `0.5`, or `2026-06-21T12:00:00Z`.
  init?(argument: String) {
    if let time = TimeText.nanoseconds(iso8601: argument) {
      self = .time(time)
    } else if let seconds = Seconds(argument: argument) {
      self = .offset(seconds.nanoseconds)
    } else {
      return nil
    }
  }

  /// The moment on CLOCK_REALTIME in a recording.
  func time(in span: ClosedRange<Int64>) -> Int64 {
    switch self {
    case .offset(let offset):
      let (time, overflow) = span.lowerBound.addingReportingOverflow(offset)
      return overflow ? .max : time
    case .time(let time): return time
    }
  }

  /// Nanoseconds from the first row on; not before it.
  func offset(in span: ClosedRange<Int64>) -> Int64 {
    switch self {
    case .offset(let offset): return offset
    case .time(let time):
      let (offset, overflow) = time.subtractingReportingOverflow(span.lowerBound)
      return overflow ? .max : max(offset, 0)
    }
  }
}
