import Ground
import Values

/// A property that is a quantity over the time between two updates of one session (sources I8).
public final class SpanRule: Sendable {
  /// The index of the property.
  public let property: Int
  /// The property whose outcome it needs of both readings; nil if their counters suffice.
  public let input: Int?
  /// What comes of the previous reading and this one.
  public let compute: @Sendable (_ previous: SpanBasis, _ current: SpanBasis) -> Span

  /// What comes of two readings.
  public enum Span: Sendable {
    /// A number that is good: the usual case.
    case number(Double)
    /// An outcome that is kept, as reasons are that repeat.
    case known(KeptOutcome)
    /// Any other outcome.
    case outcome(Outcome)
    /// The reading's own outcome stays.
    case kept

    /// It as an outcome; nil where the reading's own stays.
    public var outcome: Outcome? {
      switch self {
      case .number(let number): .ok(.double(number))
      case .known(let known): known.outcome
      case .outcome(let outcome): outcome
      case .kept: nil
      }
    }
  }

  /// A span of a property.
  public init(
    _ property: Int, of input: Int? = nil,
    _ compute: @escaping @Sendable (SpanBasis, SpanBasis) -> Span
  ) {
    self.property = property
    self.input = input
    self.compute = compute
  }

  /// The growth a second of a counter property; a counter that fell starts again.
  public static func rate(_ property: Int, of counter: Int) -> SpanRule {
    SpanRule(property, of: counter) { previous, current in
      guard let new = current.whole(counter) else {
        let now = current[counter]
        return .outcome(Outcome(status: now.status, absence: now.absence))
      }
      guard let old = previous.whole(counter), new >= old,
        current.instant.boot > previous.instant.boot
      else { return .outcome(.needsTwoReadings) }
      let (growth, overflow) = new.subtractingReportingOverflow(old)
      if overflow { return .outcome(.needsTwoReadings) }
      let seconds = Double(current.instant.boot - previous.instant.boot) / 1e9
      return .number(Double(growth) / seconds)
    }
  }
}
