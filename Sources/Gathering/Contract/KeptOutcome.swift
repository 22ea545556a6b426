/// An outcome that a reader gives again and again, such as why a device lacks a property: a reading
/// that has it already is left as it is.
public final class KeptOutcome: Sendable {
  /// The outcome.
  public let outcome: Outcome

  /// Keeps an outcome.
  public init(_ outcome: Outcome) { self.outcome = outcome }
}
