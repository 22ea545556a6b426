import ArgumentParser

/// A span of time on the command line: a decimal number of seconds.
struct Seconds: ExpressibleByArgument {
  let nanoseconds: Int64

  /// A finite number of seconds that is not negative and fits 64 bits of nanoseconds.
  init?(argument: String) {
    guard let seconds = Double(argument), seconds.isFinite, seconds >= 0, seconds < 9e9 else {
      return nil
    }
    nanoseconds = Int64((seconds * 1e9).rounded())
  }

  /// A span of whole nanoseconds.
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The default as printed in the help.
  var defaultValueDescription: String { "\(Double(nanoseconds) / 1e9)" }
}
