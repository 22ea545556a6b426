/// What values come to while they are absent, as long as the availability that says why stays.
final class KeptAbsence {
  let cause: Availability
  let outcome: Outcome

  init(_ cause: Availability) {
    self.cause = cause
    outcome = .absent(for: cause)
  }
}
