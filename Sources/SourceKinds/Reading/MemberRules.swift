import Gathering
import Values

/// The rules by which aggregates combine their members.
extension [Reading] {
  /// The sum of a whole number over the members that have it; where none has, the first member's
  /// reason, or `noData` without members.
  func sum(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    var total: Int64 = 0
    var found = false
    for place in indices {
      guard let number = whole(at: field.rawValue, of: place) else { continue }
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
    for place in indices {
      guard let number = number(at: field.rawValue, of: place) else { continue }
      total += number
      found = true
    }
    return found ? .ok(.double(total)) : firstAbsence(field, noMember: noMember)
  }

  /// The value that all members have; `noData` with the reason if they differ.
  private func common(
    _ field: some RawRepresentable<Int>, noMember: String, several: String
  ) -> Outcome {
    if isEmpty { return .noData(noMember) }
    let outcome = self[0][field]
    for place in 1..<count where !self[place][field].isSameAnswer(as: outcome) {
      return .noData(several)
    }
    return outcome
  }

  /// True if any member is true, false if one is false.
  func any(_ field: some RawRepresentable<Int>, noMember: String) -> Outcome {
    var answer: Bool?
    for place in indices {
      if let flag = flag(at: field.rawValue, of: place) { answer = flag || answer == true }
    }
    guard let answer else { return firstAbsence(field, noMember: noMember) }
    var outcome = Outcome.ok(.bool(answer))
    for place in indices where flag(at: field.rawValue, of: place) == answer {
      guard let stamp = self[place][field].stamp else { continue }
      outcome.stamp = Swift.max(stamp, outcome.stamp ?? stamp)
    }
    return outcome
  }

  /// Sets a property of the aggregate to the sum of a whole number, as `sum`.
  func setSum(
    _ field: some RawRepresentable<Int>, in aggregate: inout Reading, noMember: String
  ) {
    if count == 1, let number = whole(at: field.rawValue, of: 0) {
      return aggregate.set(field.rawValue, to: number)
    }
    aggregate.set(field.rawValue, to: sum(field, noMember: noMember))
  }

  /// Sets a property of the aggregate to the value that all members have, as `common`.
  func setCommon(
    _ field: some RawRepresentable<Int>, in aggregate: inout Reading, noMember: String,
    several: String
  ) {
    if count == 1 { return aggregate.set(field.rawValue, asIn: self, at: 0) }
    aggregate.set(field, to: common(field, noMember: noMember, several: several))
  }

  /// Whether there is one member only, with a good value of which nothing else is said: the
  /// aggregate has the same.
  func isPlain(_ field: some RawRepresentable<Int>) -> Bool {
    count == 1 && isPlain(at: field.rawValue, of: 0)
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
