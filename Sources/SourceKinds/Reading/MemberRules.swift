import Gathering
import Values

/// The rules by which aggregates combine their members.
extension [Reading] {
  /// The sum of a whole number over the members that have it; where none has, the first member's
  /// reason, or `noData` without members.
  func sum(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    var total: Int64 = 0
    var found = false
    for index in indices {
      guard let number = self[index].integer(field) else { continue }
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
    for index in indices {
      guard let number = self[index].number(field) else { continue }
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
    var answer: Bool?
    for index in indices {
      if let flag = self[index].flag(field) { answer = flag || answer == true }
    }
    guard let answer else { return firstAbsence(field, noMember: noMember) }
    var outcome = Outcome.ok(.bool(answer))
    for index in indices where self[index].flag(field) == answer {
      guard let stamp = self[index].outcomes[field.rawValue].stamp else { continue }
      outcome.stamp = Swift.max(stamp, outcome.stamp ?? stamp)
    }
    return outcome
  }

  /// Sets a property of the aggregate to the sum of a whole number, as `sum`.
  func setSum(
    _ field: some RawRepresentable<Int>, in aggregate: inout Reading, noMember: String
  ) {
    if count == 1, let number = self[0].integer(field) {
      return aggregate.set(field.rawValue, to: number)
    }
    aggregate.set(field.rawValue, to: sum(field, noMember: noMember))
  }

  /// Whether there is one member only, with a good value of which nothing else is said: the
  /// aggregate has the same.
  func isPlain(_ field: some RawRepresentable<Int>) -> Bool {
    guard count == 1 else { return false }
    let index = field.rawValue
    return self[0].outcomes[index].status == .ok && !self[0].outcomes[index].isLowAccuracy
      && self[0].outcomes[index].stamp == nil && !self[0].outcomes[index].isReplayed
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
