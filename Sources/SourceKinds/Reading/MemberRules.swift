import Gathering
import Values

/// The rules by which aggregates combine their members.
extension [Reading] {
  /// The sum of a whole number over the members that have it; where none has, the first member's
  /// reason, or `noData` without members.
  func sum(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    var total: Int64 = 0
    var found = false
    for member in self {
      guard member[field].status == .ok, case .int(let number) = member[field].value else {
        continue
      }
      let (sum, overflow) = total.addingReportingOverflow(number)
      if overflow { return .failed("the sum exceeds 64 bits") }
      total = sum
      found = true
    }
    return found ? .ok(.int(total)) : firstAbsence(field, noMember: noMember)
  }

  /// The sum of a number over the members that have it, as `sum`.
  func realSum(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    var total = 0.0
    var found = false
    for member in self {
      guard member[field].status == .ok, let number = member[field].value.number else { continue }
      total += number
      found = true
    }
    return found ? .ok(.double(total)) : firstAbsence(field, noMember: noMember)
  }

  /// The value that all members have; `noData` with the reason if they differ.
  func common(
    _ field: some RawRepresentable<Int>, noMember: String, several: String
  ) -> Outcome {
    guard let first else { return .noData(noMember) }
    let outcome = first[field]
    return allSatisfy { $0[field].isSameAnswer(as: outcome) } ? outcome : .noData(several)
  }

  /// True if any member is true, false if one is false.
  func any(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    let answers = filter { $0[field].flag != nil }
    if answers.isEmpty { return firstAbsence(field, noMember: noMember) }
    let isAny = answers.contains { $0[field].flag == true }
    var outcome = Outcome.ok(.bool(isAny))
    let decisive = answers.filter { $0[field].flag == isAny }
    outcome.stamp = decisive.compactMap { $0[field].stamp }.max()
    return outcome
  }

  /// The reason of the first member that may yet have the property, else of the first.
  private func firstAbsence(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    let hopeful = first { $0[field].status != .unsupported && !$0[field].hasPayload }
    guard let member = hopeful ?? first else { return .noData(noMember) }
    return Outcome(status: member[field].status.withoutPayload, absence: member[field].absence)
  }
}

extension Outcome {
  /// Same payload and status, whatever the time and the words.
  func isSameAnswer(as other: Outcome) -> Bool { status == other.status && value == other.value }
}

extension ValueStatus {
  /// The status of something computed from a value that cannot be used.
  fileprivate var withoutPayload: ValueStatus { self == .ok || self == .stale ? .noData : self }
}
