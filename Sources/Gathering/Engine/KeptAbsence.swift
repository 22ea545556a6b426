/// The outcome of absent values, kept as long as the availability that explains it.
final class KeptAbsence {
  let cause: Availability
  let outcome: Outcome

  init(_ cause: Availability) {
    self.cause = cause
    outcome = .absent(for: cause)
  }
}
