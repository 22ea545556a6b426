import Gathering
import Ground

/// The outcome of a file that cannot be read, made once for as long as its error stays the same.
struct KeptFailure {
  private var known: (code: Int32, outcome: KeptOutcome)?

  /// What all properties of the file come to for an error of it.
  mutating func outcome(of error: SystemError) -> KeptOutcome {
    if let known, known.code == error.code { return known.outcome }
    let outcome = KeptOutcome(.from(error))
    known = (error.code, outcome)
    return outcome
  }
}
