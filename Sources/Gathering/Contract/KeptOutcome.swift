/// An outcome that a reader gives again and again, such as why a device lacks a property: a reading
/// that has it already is left as it is.
public final class KeptOutcome: Sendable {
  /// The outcome.
  public let outcome: Outcome
  /// Whether it says no more than why there is no payload.
  let isPlainAbsence: Bool
  /// Where its reason lies in memory, to be compared without counting; 0 without one.
  let reason: UInt

  /// Keeps an outcome.
  public init(_ outcome: Outcome) {
    self.outcome = outcome
    (isPlainAbsence, reason) = withUnsafePointer(to: outcome) { ($0.isPlainAbsence, $0.reason) }
  }
}
