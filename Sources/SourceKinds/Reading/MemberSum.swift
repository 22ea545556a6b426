import Gathering
import Values

/// The sum of a property over members of an aggregate: one with a hole is none (catalogue G7).
struct MemberSum {
  private(set) var total = 0.0
  /// Whether a member has a number.
  private(set) var hasNumber = false
  /// Whether a member without a number was left out, or one has an estimate.
  private(set) var isEstimate = false
  /// Why there is no sum: the absence of the first member that is missing in it.
  private(set) var hole: Outcome?
  /// Why members are left out.
  private var omission: Outcome?

  /// Adds a member's outcome, or leaves it out where the device never has the value or sleeps.
  mutating func add(_ outcome: Outcome) {
    if let number = outcome.number {
      total += number
      hasNumber = true
      isEstimate = isEstimate || outcome.isLowAccuracy
    } else if Self.isLeftOut(outcome) {
      isEstimate = true
      omission = omission ?? outcome
    } else {
      hole = hole ?? outcome.asMissingInput
    }
  }

  /// Whether a sum does without a member.
  static func isLeftOut(_ outcome: Outcome) -> Bool {
    outcome.status == .unsupported
      || outcome.status == .noData && outcome.absence?.reason.hasPrefix("asleep") == true
  }

  /// The sum; why there is none; `nothing` without members.
  func outcome(orElse nothing: Outcome) -> Outcome {
    if let hole { return hole }
    return hasNumber ? .ok(.double(total), lowAccuracy: isEstimate) : omission ?? nothing
  }
}
